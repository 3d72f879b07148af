public import HoldfastTrust
import Synchronization

/// A clock that only a test advances. It is safe to use from any thread.
public final class ManualTrustClock: Sendable {
    private let instant: Mutex<Timestamp>

    /// Creates a clock that shows `start`.
    public init(_ start: Timestamp = CertificateFactory.referenceTime) {
        self.instant = Mutex(start)
    }

    /// The current time.
    public var now: Timestamp { instant.withLock { $0 } }

    /// Sets the time, which may be earlier than the current one.
    public func set(_ instant: Timestamp) {
        self.instant.withLock { $0 = instant }
    }

    /// Advances the clock.
    public func advance(bySeconds seconds: Int64) {
        instant.withLock { $0 = $0.advanced(bySeconds: seconds) }
    }

    /// The clock for a `TrustContext` or a client.
    public var clock: TrustClock { TrustClock { self.now } }
}
