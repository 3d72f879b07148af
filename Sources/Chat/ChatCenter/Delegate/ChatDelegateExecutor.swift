public import Dispatch

/// Where the observer and completion handlers are called. The delegate is always called on the main thread.
public enum ChatDelegateExecutor: Sendable {
    /// On the main thread. A command-line program that blocks its main thread never sees a call: use another executor.
    case mainActor
    /// On this queue. A concurrent queue loses the order of calls.
    case queue(DispatchQueue)
    /// On the SDK's own serial queue. The call must return quickly: everything else waits for it.
    case inline
}
