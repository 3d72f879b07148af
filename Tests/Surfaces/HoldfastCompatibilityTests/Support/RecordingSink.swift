import HoldfastTrust
import Synchronization

/// Records the verdicts that it receives.
final class RecordingSink: TrustEventSink {
    private let state = Mutex<[TrustVerdict]>([])

    func record(_ verdict: TrustVerdict) {
        state.withLock { $0.append(verdict) }
    }

    var verdicts: [TrustVerdict] { state.withLock { $0 } }
    var reports: [PinFailureReport] { verdicts.compactMap { PinFailureReport($0) } }
}
