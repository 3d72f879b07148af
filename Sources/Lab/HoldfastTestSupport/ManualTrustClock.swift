public import HoldfastTrust
import Synchronization

/// A clock that stands still until a test moves it. May be used from any thread.
public final class ManualTrustClock: Sendable {
    private let instant: Mutex<Timestamp>

    /// Makes a clock that stands at `start`.
    public init(_ start: Timestamp = CertificateFactory.referenceTime) {
        self.instant = Mutex(start)
    }

    /// The current instant.
    public var now: Timestamp { instant.withLock { $0 } }

    /// Puts the clock to an instant, earlier ones included.
    public func set(_ instant: Timestamp) {
        self.instant.withLock { $0 = instant }
    }

    /// Moves the clock.
    public func advance(bySeconds seconds: Int64) {
        instant.withLock { $0 = $0.advanced(bySeconds: seconds) }
    }

    /// What a ``TrustContext`` or a client takes.
    public var clock: TrustClock { TrustClock { self.now } }
}
