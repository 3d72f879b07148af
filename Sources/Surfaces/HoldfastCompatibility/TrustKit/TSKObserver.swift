import Dispatch
import HoldfastTrust
import Synchronization

/// Who is told of evaluations, and where.
final class TSKObserver: Sendable {
    private struct State {
        var callback: TrustKit.Callback?
        var queue = DispatchQueue.main
    }

    private let state = Mutex(State())

    var callback: TrustKit.Callback? {
        get { state.withLock(\.callback) }
        set { state.withLock { $0.callback = newValue } }
    }

    var queue: DispatchQueue {
        get { state.withLock(\.queue) }
        set { state.withLock { $0.queue = newValue } }
    }

    func tell(of result: TSKPinningValidatorResult, _ pinning: PinningFacts) {
        let (callback, queue) = state.withLock { ($0.callback, $0.queue) }
        guard let callback else { return }
        queue.async { callback(result, pinning.notedHost.text, pinning.trustKitSettings) }
    }
}
