#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

extension ToolStatus {
    /// Ends the process with this exit code.
    func endProcess() -> Never {
        exit(rawValue)
    }
}
