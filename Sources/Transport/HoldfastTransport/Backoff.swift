package import HoldfastBase
package import HoldfastTrust

/// How long to wait after a failure: exponential, with full jitter, so that many clients that failed together do not come back
/// together. In whole seconds. A value: randomness is handed in.
public struct Backoff: Hashable, Sendable {
    /// The longest wait after the first failure, in seconds. It doubles with each further one.
    public var base: Int64
    /// The longest wait of all, in seconds.
    public var ceiling: Int64
    /// The longest wait that a server may ask for (`Retry-After`), in seconds. A longer one is cut to this.
    public var retryAfterCeiling: Int64

    /// Describes a back-off.
    public init(base: Int64, ceiling: Int64, retryAfterCeiling: Int64) {
        self.base = base
        self.ceiling = ceiling
        self.retryAfterCeiling = retryAfterCeiling
    }

    /// The longest wait that can come out.
    var longest: Int64 { max(1, min(max(ceiling, retryAfterCeiling), 1 << 32)) }

    /// The wait after so many failures in a row, at least a second: somewhere between nothing and the present maximum, and no
    /// shorter than what the server asked for. `entropy` is a fresh random number.
    func delay(failures: Int, retryAfter: Double? = nil, entropy: UInt64) -> Int64 {
        let waits = ExponentialBackoff(base: base, ceiling: min(ceiling, longest))
        let drawn = waits.wait(after: max(1, failures) - 1, entropy: entropy)
        let asked = min(Duration(clampingSeconds: retryAfter ?? 0).components.seconds, max(0, retryAfterCeiling))
        return min(max(1, drawn, asked), longest)
    }
}

extension RetryAfter {
    /// The wait in seconds that a field asks for; infinite where no number holds it, `nil` where there is no wait in it.
    package static func seconds(_ text: String?, now: Timestamp) -> Double? {
        RetryAfter(text).map { wait in
            let seconds = wait.seconds(from: now.secondsSince1970)
            return seconds == .max ? .infinity : Double(seconds)
        }
    }
}
