import Dispatch
import Synchronization

/// Holds the delegate weakly, and calls it on its executor in the order of the calls made here.
final class DelegateSlot: Sendable {
    private struct State {
        weak var delegate: (any ChatCenterUISDKDelegate)?
        var executor = ChatDelegateExecutor.mainActor
    }

    private let state = Mutex(State())

    var delegate: (any ChatCenterUISDKDelegate)? {
        get { state.withLock { $0.delegate } }
        set { state.withLock { $0.delegate = newValue } }
    }

    var executor: ChatDelegateExecutor {
        get { state.withLock { $0.executor } }
        set { state.withLock { $0.executor = newValue } }
    }

    /// Calls the delegate, if there is one when the call's turn has come.
    func call(_ body: @escaping @Sendable (any ChatCenterUISDKDelegate) -> Void) {
        let deliver: @Sendable () -> Void = { [self] in
            if let delegate { body(delegate) }
        }
        switch executor {
        case .mainActor: DispatchQueue.main.async(execute: deliver)
        case .queue(let queue): queue.async(execute: deliver)
        case .inline: deliver()
        }
    }
}
