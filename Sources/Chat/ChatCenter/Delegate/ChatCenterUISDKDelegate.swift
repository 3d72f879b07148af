public import Dispatch
public import Foundation

/// Receives what the SDK reports, on the main thread. Every method has an empty default.
///
/// A view controller or another class of the main actor conforms as it is:
///
/// ```swift
/// extension ViewController: ChatCenterUISDKDelegate {
///     func chatCenterUI(chatCenter: ChatCenterUISDK, didChangeUnreadMessages count: Int) {
///         badge.text = "\(count)"
///     }
/// }
/// ```
///
/// Calls come in the order in which things happened. The SDK holds its delegate weakly. A class that is not of the main
/// actor, or a program that blocks its main thread, uses ``ChatCenterUISDKObserver``.
@MainActor public protocol ChatCenterUISDKDelegate: AnyObject, Sendable {
    /// The number of unread messages changed. Called once with 0 when another user is authorized.
    func chatCenterUI(chatCenter: ChatCenterUISDK, didChangeUnreadMessages count: Int)

    /// A REST call, a file transfer or the socket failed. A refused server is a `TransportError` that carries the verdict.
    func chatCenterUI(chatCenter: ChatCenterUISDK, didReceiveNetwork error: any Error)

    /// The user tapped a link. Return `true` if the app opened it. Called by ``ChatScreen/open(_:)``, which must be called on
    /// the main thread for that.
    func chatCenterUI(chatCenter: ChatCenterUISDK, didOpen url: URL) -> Bool

    /// A line was logged. Nothing comes while the log level is ``ChatLogLevel/off``.
    func chatCenterUI(chatCenter: ChatCenterUISDK, didLog event: String)
}

extension ChatCenterUISDKDelegate {
    public func chatCenterUI(chatCenter: ChatCenterUISDK, didChangeUnreadMessages count: Int) {}
    public func chatCenterUI(chatCenter: ChatCenterUISDK, didReceiveNetwork error: any Error) {}
    public func chatCenterUI(chatCenter: ChatCenterUISDK, didOpen url: URL) -> Bool { false }
    public func chatCenterUI(chatCenter: ChatCenterUISDK, didLog event: String) {}
}

/// Receives what the SDK reports, like ``ChatCenterUISDKDelegate``, on the executor that
/// ``ChatCenterUISDK/delegateExecutor`` names. Every method has an empty default.
///
/// For classes that are not of the main actor, and for programs that block their main thread. Calls come in the order in
/// which things happened. The SDK holds its observer weakly.
public protocol ChatCenterUISDKObserver: AnyObject, Sendable {
    /// The number of unread messages changed. Called once with 0 when another user is authorized.
    func chatCenterUI(chatCenter: ChatCenterUISDK, didChangeUnreadMessages count: Int)

    /// A REST call, a file transfer or the socket failed. A refused server is a `TransportError` that carries the verdict.
    func chatCenterUI(chatCenter: ChatCenterUISDK, didReceiveNetwork error: any Error)

    /// The user tapped a link. Return `true` if the app opened it. Called by ``ChatScreen/open(_:)`` on the caller's thread,
    /// before the delegate, which is not asked after `true`.
    func chatCenterUI(chatCenter: ChatCenterUISDK, didOpen url: URL) -> Bool

    /// A line was logged. Nothing comes while the log level is ``ChatLogLevel/off``.
    func chatCenterUI(chatCenter: ChatCenterUISDK, didLog event: String)
}

extension ChatCenterUISDKObserver {
    public func chatCenterUI(chatCenter: ChatCenterUISDK, didChangeUnreadMessages count: Int) {}
    public func chatCenterUI(chatCenter: ChatCenterUISDK, didReceiveNetwork error: any Error) {}
    public func chatCenterUI(chatCenter: ChatCenterUISDK, didOpen url: URL) -> Bool { false }
    public func chatCenterUI(chatCenter: ChatCenterUISDK, didLog event: String) {}
}

/// Where the observer and completion handlers are called. The delegate is always called on the main thread.
public enum ChatDelegateExecutor: Sendable {
    /// On the main thread. A command-line program that blocks its main thread never sees a call: use another executor.
    case mainActor
    /// On this queue. A concurrent queue loses the order of calls.
    case queue(DispatchQueue)
    /// On the SDK's own serial queue. The call must return quickly: everything else waits for it.
    case inline
}
