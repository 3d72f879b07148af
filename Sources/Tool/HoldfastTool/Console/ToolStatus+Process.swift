#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

extension ToolStatus {
    /// Ends the process with this exit code, and removes its temporary folders. A command that was interrupted without a result
    /// ends by the signal.
    func endProcess() -> Never {
        if self == .interrupted, let cause = Interruption.process.cause { cause.endProcess() }
        WorkFolder.removeAll()
        exit(Interruption.process.cause == .outputClosed ? ToolStatus.unusableInput.rawValue : rawValue)
    }
}
