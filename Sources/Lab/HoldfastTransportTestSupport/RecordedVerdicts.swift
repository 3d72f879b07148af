public import HoldfastTrust
import Synchronization

/// Keeps the verdicts that it is told of. May be used from any thread.
public final class RecordedVerdicts: TrustEventSink {
    private let state = Mutex<[TrustVerdict]>([])

    /// Knows none yet.
    public init() {}

    /// Takes a verdict.
    public func record(_ verdict: TrustVerdict) {
        state.withLock { $0.append(verdict) }
    }

    /// What it was told, in order.
    public var all: [TrustVerdict] { state.withLock { $0 } }
}
