public import Dispatch
public import Foundation

/// Receives events of the SDK on the main thread. Every method has an empty default implementation.
///
/// A view controller, or another class of the main actor, can conform directly:
///
/// ```swift
/// extension ViewController: ChatCenterUISDKDelegate {
///     func chatCenterUI(chatCenter: ChatCenterUISDK, didChangeUnreadMessages count: Int) {
///         badge.text = "\(count)"
///     }
/// }
/// ```
///
/// Calls arrive in the order of the events. The SDK holds its delegate weakly. A class outside the main actor, or a
/// program that blocks its main thread, uses ``ChatCenterUISDKObserver``.
@MainActor public protocol ChatCenterUISDKDelegate: AnyObject, Sendable {
    /// The number of unread messages changed. Called once with 0 when another user is authorized.
    func chatCenterUI(chatCenter: ChatCenterUISDK, didChangeUnreadMessages count: Int)

    /// Called when a REST call, a file transfer or the socket failed. For a refused server, the error is a
    /// `TransportError` with the verdict.
    func chatCenterUI(chatCenter: ChatCenterUISDK, didReceiveNetwork error: any Error)

    /// Called when the user tapped a link. Return `true` if the app opened it. ``ChatScreen/open(_:)`` calls this
    /// method if it runs on the main thread.
    func chatCenterUI(chatCenter: ChatCenterUISDK, didOpen url: URL) -> Bool

    /// Called for each log line. Not called while the log level is ``ChatLogLevel/off``.
    func chatCenterUI(chatCenter: ChatCenterUISDK, didLog event: String)
}

extension ChatCenterUISDKDelegate {
    /// Does nothing.
    public func chatCenterUI(chatCenter: ChatCenterUISDK, didChangeUnreadMessages count: Int) {}
    /// Does nothing.
    public func chatCenterUI(chatCenter: ChatCenterUISDK, didReceiveNetwork error: any Error) {}
    /// Returns `false`: the app does not open the link.
    public func chatCenterUI(chatCenter: ChatCenterUISDK, didOpen url: URL) -> Bool { false }
    /// Does nothing.
    public func chatCenterUI(chatCenter: ChatCenterUISDK, didLog event: String) {}
}

/// Receives events of the SDK on the executor that ``ChatCenterUISDK/delegateExecutor`` names. Every method has an
/// empty default implementation.
///
/// Use it in classes outside the main actor, and in programs that block their main thread. Calls arrive in the order of
/// the events. The SDK holds its observer weakly.
public protocol ChatCenterUISDKObserver: AnyObject, Sendable {
    /// The number of unread messages changed. Called once with 0 when another user is authorized.
    func chatCenterUI(chatCenter: ChatCenterUISDK, didChangeUnreadMessages count: Int)

    /// Called when a REST call, a file transfer or the socket failed. For a refused server, the error is a
    /// `TransportError` with the verdict.
    func chatCenterUI(chatCenter: ChatCenterUISDK, didReceiveNetwork error: any Error)

    /// Called when the user tapped a link. Return `true` if the app opened it; then the delegate is not called.
    /// ``ChatScreen/open(_:)`` calls this method on the caller's thread.
    func chatCenterUI(chatCenter: ChatCenterUISDK, didOpen url: URL) -> Bool

    /// Called for each log line. Not called while the log level is ``ChatLogLevel/off``.
    func chatCenterUI(chatCenter: ChatCenterUISDK, didLog event: String)
}

extension ChatCenterUISDKObserver {
    /// Does nothing.
    public func chatCenterUI(chatCenter: ChatCenterUISDK, didChangeUnreadMessages count: Int) {}
    /// Does nothing.
    public func chatCenterUI(chatCenter: ChatCenterUISDK, didReceiveNetwork error: any Error) {}
    /// Returns `false`: the app does not open the link.
    public func chatCenterUI(chatCenter: ChatCenterUISDK, didOpen url: URL) -> Bool { false }
    /// Does nothing.
    public func chatCenterUI(chatCenter: ChatCenterUISDK, didLog event: String) {}
}

/// The executor of the observer and of completion handlers. The delegate is always called on the main thread.
public enum ChatDelegateExecutor: Sendable {
    /// The main thread. A command-line program that blocks its main thread never receives a call: use another executor.
    case mainActor
    /// The given queue. A concurrent queue does not preserve the order of the calls.
    case queue(DispatchQueue)
    /// The SDK's own serial queue. The call must return quickly, because it blocks the SDK.
    case inline
}
