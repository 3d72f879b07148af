import ChatCenterCore
import ChatWire
import Foundation
import HoldfastTransport

extension ChatCenterUISDK {
    /// A new chat screen. The newest one gets what happens; an older one keeps its last state.
    ///
    /// - Parameter userInfo: The notification that the app was opened with, if any. That of a mass mailing is shown as a
    ///   quote above the input field, and the next message is bound to it; any other one just opens the chat.
    /// - Throws: ``ChatCenterUIError/userNotAuthorized``.
    public func getChat(userInfo: [AnyHashable: Any]? = nil) throws(ChatCenterUIError) -> ChatScreen {
        guard let made = driver.newScreen() else { throw .userNotAuthorized }
        if let userInfo, let campaign = Campaign(notification: JSONObject(userInfo: userInfo)) {
            driver.handle(.campaign(campaign))
        }
        return ChatScreen(
            id: made.id, driver: driver, hub: hub, states: made.states, state: made.state, themes: appearance.themes)
    }

    /// The text for the input field of the next screen, once. A new call overwrites it, an empty one clears it.
    public func prefill(message: String) {
        driver.handle(.prefill(message))
    }

    /// Sends a message in the user's name. What becomes of it is told by ``send(_:)`` and ``events``.
    ///
    /// - Throws: ``ChatCenterUISendMessageError``. ``ChatCenterUISendMessageError/webSocketNotActive`` only while
    ///   ``ChatConfig/outboxEnabled`` is `false`: a message is kept until there is a connection otherwise.
    public func send(message: ChatMessage) throws(ChatCenterUISendMessageError) {
        do throws(ChatSendError) {
            _ = try send(message)
        } catch {
            throw error.code
        }
    }

    /// Sends a message in the user's name. When the call returns, the message is on the disk.
    ///
    /// - Throws: ``ChatSendError`` for a message that was not taken.
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

    /// Sends a message in the user's name. Suspends until the message is on the disk; a cancellation of the task changes
    /// nothing.
    ///
    /// - Throws: ``ChatSendError`` for a message that was not taken.
    @discardableResult
    public func send(_ message: ChatMessage) async throws(ChatSendError) -> ChatReceipt {
        guard case .text(let text) = message else {
            // Pictures are copied, which is not to be done on a thread that tasks share.
            return try await Blocking.run { [self] () throws(ChatSendError) in try send(message) }
        }
        return try await driver.send(OutgoingMessage(text: text))
    }

    /// A place goes as the text of a `geo:` URI (RFC 5870): the protocol has no type for it. The place that was sent
    /// last is not sent again.
    private func send(latitude: Double, longitude: Double) throws(ChatSendError) -> ChatReceipt {
        guard (-90...90).contains(latitude), (-180...180).contains(longitude) else {
            throw ChatSendError(
                .messageNotSent, "The latitude \(latitude), longitude \(longitude) is no place on Earth.")
        }
        let text = "geo:\(latitude),\(longitude)"
        if let receipt = driver.receipt(forLastLocation: text) { return receipt }
        let receipt = try driver.send(OutgoingMessage(text: text))
        driver.remember(location: text, receipt.id)
        return receipt
    }

    /// Asks the server for the number of unread messages.
    ///
    /// - Parameter completion: Called on ``delegateExecutor``; a failure is a ``ChatNetworkError``.
    /// - Throws: ``ChatCenterUIError/userNotAuthorized``.
    public func getUnreadMessagesCount(
        completion: @escaping @Sendable (Result<Int, any Error>) -> Void
    ) throws(ChatCenterUIError) {
        let slot = hub.slot
        try driver.askUnreadCount { result in slot.run { completion(result) } }
    }

    /// Asks the server for the number of unread messages.
    ///
    /// - Throws: ``ChatCenterUIError/userNotAuthorized``, or ``ChatNetworkError``.
    public func unreadMessagesCount() async throws -> Int {
        let answer = OneShot<Int>()
        try driver.askUnreadCount { answer.fulfil($0) }
        return try await answer.value
    }
}
