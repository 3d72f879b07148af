import Dispatch
import Synchronization

/// Holds the delegate weakly, and calls it on its executor in the order of the calls made here.
final class DelegateSlot: Sendable {
    private struct State {
        weak var delegate: (any ChatCenterUISDKDelegate)?
        var executor = ChatDelegateExecutor.mainActor
    }

    private let state = Mutex(State())
    /// The SDK's own queue. Never called on at once: whoever has something to tell may hold a lock.
    private let queue: DispatchQueue

    init(queue: DispatchQueue) {
        self.queue = queue
    }

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
        // Without a delegate nothing is queued: a program that has none may have no main loop either.
        guard delegate != nil else { return }
        run { [self] in
            if let delegate { body(delegate) }
        }
    }

    /// Runs something on the delegate's executor, behind what was queued there before.
    func run(_ body: @escaping @Sendable () -> Void) {
        switch executor {
        case .mainActor: DispatchQueue.main.async(execute: body)
        case .queue(let queue): queue.async(execute: body)
        case .inline: queue.async(execute: body)
        }
    }
}
