public import HoldfastTrust
import Synchronization

/// A sink that stores all verdicts. It is safe to use from any thread.
public final class RecordedVerdicts: TrustEventSink {
    private let state = Mutex<[TrustVerdict]>([])

    /// Creates an empty sink.
    public init() {}

    /// Stores a verdict.
    public func record(_ verdict: TrustVerdict) {
        state.withLock { $0.append(verdict) }
    }

    /// All stored verdicts, in order.
    public var all: [TrustVerdict] { state.withLock { $0 } }
}
