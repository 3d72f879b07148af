#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// Reads the environment.
enum EnvironmentVariable {
    /// The value of a variable, which may be empty; `nil` if it is not set. A variable that was set to nothing by mistake is
    /// for whoever uses it to refuse: with no token, for example, more people read.
    static func value(of name: String) -> String? {
        guard let value = getenv(name) else { return nil }
        return String(cString: value)
    }
}
