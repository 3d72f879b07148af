import ChatCenterCore
import ChatWire
import Foundation
import HoldfastTransport

extension ChatCenterUISDK {
    /// Returns a new chat screen. Only the newest screen receives updates; an older one keeps its last state.
    ///
    /// - Parameter userInfo: The notification that opened the app, if any. A notification of a mass mailing is shown as
    ///   a quote above the input field, and the next message refers to it. Any other notification only opens the chat.
    /// - Throws: ``ChatCenterUIError/userNotAuthorized``.
    public func getChat(userInfo: [AnyHashable: Any]? = nil) throws(ChatCenterUIError) -> ChatScreen {
        guard let made = driver.newScreen() else { throw .userNotAuthorized }
        if let userInfo, let campaign = Campaign(notification: JSONObject(userInfo: userInfo)) {
            driver.handle(.campaign(campaign))
        }
        return ChatScreen(
            id: made.id, driver: driver, hub: hub, states: made.states, state: made.state, themes: appearance.themes)
    }

    /// Sets the text for the input field of the next screen, once. A new call replaces the text; an empty one clears
    /// it.
    public func prefill(message: String) {
        driver.handle(.prefill(message))
    }

    /// Sends a message on behalf of the user. To learn its delivery status, use `send(_:)` or ``events``.
    ///
    /// - Throws: ``ChatCenterUISendMessageError``. ``ChatCenterUISendMessageError/webSocketNotActive`` is thrown only
    ///   while ``ChatConfig/outboxEnabled`` is `false`; otherwise the message is kept until there is a connection.
    public func send(message: ChatMessage) throws(ChatCenterUISendMessageError) {
        do throws(ChatSendError) {
            _ = try send(message)
        } catch {
            throw error.code
        }
    }

    /// Sends a message on behalf of the user. When the call returns, the message is stored on disk.
    ///
    /// - Throws: ``ChatSendError`` if the message is not accepted.
    @discardableResult
    public func send(_ message: ChatMessage) throws(ChatSendError) -> ChatReceipt {
        switch message {
        case .text(let text):
            return try driver.send(OutgoingMessage(text: text))
        case .image(let image):
            let file = try driver.keep(try image.fileSource())
            return try driver.send(OutgoingMessage(text: nil, files: [file]))
        case .location(let point):
            return try send(latitude: point.x, longitude: point.y)
        }
    }

    /// Sends a message on behalf of the user. Suspends until the message is stored on disk, even if the task is
    /// cancelled.
    ///
    /// - Throws: ``ChatSendError`` if the message is not accepted.
    @discardableResult
    public func send(_ message: ChatMessage) async throws(ChatSendError) -> ChatReceipt {
        guard case .text(let text) = message else {
            // Copying a picture blocks, so it must not run on a thread of Swift's cooperative pool.
            return try await Blocking.run { [self] () throws(ChatSendError) in try send(message) }
        }
        return try await driver.send(OutgoingMessage(text: text))
    }

    /// Sends a place as the text of a `geo:` URI (RFC 5870), because the protocol has no type for it. The place that
    /// was sent last is not sent again.
    private func send(latitude: Double, longitude: Double) throws(ChatSendError) -> ChatReceipt {
        guard (-90...90).contains(latitude), (-180...180).contains(longitude) else {
            throw ChatSendError(
                .messageNotSent,
                "The latitude \(latitude), longitude \(longitude) is not a valid place. Use -90 to 90 and -180 to 180.")
        }
        let text = "geo:\(latitude),\(longitude)"
        if let receipt = driver.receipt(forLastLocation: text) { return receipt }
        let receipt = try driver.send(OutgoingMessage(text: text))
        driver.remember(location: text, receipt.id)
        return receipt
    }

    /// Requests the number of unread messages from the server.
    ///
    /// - Parameter completion: Called on ``delegateExecutor``. A failure is a ``ChatNetworkError``.
    /// - Throws: ``ChatCenterUIError/userNotAuthorized``.
    public func getUnreadMessagesCount(
        completion: @escaping @Sendable (Result<Int, any Error>) -> Void
    ) throws(ChatCenterUIError) {
        let slot = hub.slot
        try driver.askUnreadCount { result in slot.run { completion(result) } }
    }

    /// Requests the number of unread messages from the server.
    ///
    /// - Throws: ``ChatCenterUIError/userNotAuthorized``, or ``ChatNetworkError``.
    public func unreadMessagesCount() async throws -> Int {
        let answer = OneShot<Int>()
        try driver.askUnreadCount { answer.fulfil($0) }
        return try await answer.value
    }
}
