public import Foundation

/// What the SDK tells the app. Every method has an empty default.
///
/// Calls come in the order in which things happened, on the executor that ``ChatCenterUISDK/delegateExecutor`` names: the
/// main thread unless set otherwise. A main-actor class conforms with
/// `extension ViewController: @preconcurrency ChatCenterUISDKDelegate`. The SDK holds its delegate weakly.
public protocol ChatCenterUISDKDelegate: AnyObject, Sendable {
    /// The number of unread messages changed.
    func chatCenterUI(chatCenter: ChatCenterUISDK, didChangeUnreadMessages count: Int)

    /// A REST call, a file transfer or the socket failed. A refused server is a `TransportError` that carries the verdict.
    func chatCenterUI(chatCenter: ChatCenterUISDK, didReceiveNetwork error: any Error)

    /// The user tapped a link. Answer `true` if the app opened it. Called by ``ChatScreen/open(_:)`` on the caller's thread.
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
