public import ChatCenterCore
public import Foundation
import HoldfastTransport

// Messages with an identifier that the caller chose. A caller that does not know whether an earlier call succeeded, for
// example after a crash, calls again with the same identifier.
extension ChatScreen {
    /// Suspends until the SDK has handled all earlier calls and stored their changes.
    package func settle() async { await driver.settle() }

    /// Sends a text once. Suspends until the message is stored on disk, even if the task is cancelled.
    ///
    /// - Parameters:
    ///   - text: The text.
    ///   - id: The identifier of the message: a new UUID in lower case. If the user already has this message with this
    ///     identifier, nothing is sent, and the receipt of that message is returned.
    /// - Throws: ``ChatSendError`` if the message is not accepted. Its code is
    ///   ``ChatCenterUISendMessageError/messageIdentifierInUse`` if a message with different content has the
    ///   identifier.
    @discardableResult
    public func send(_ text: String, id: MessageID) async throws(ChatSendError) -> ChatReceipt {
        note("sends \(text.count) characters", secret: text)
        return try await driver.send(OutgoingMessage(text: text), id: id)
    }

    /// Sends the text of a button under a message once. Suspends until the message is stored on disk.
    ///
    /// - Parameters:
    ///   - button: The button.
    ///   - id: The identifier of the message, as for ``send(_:id:)``.
    /// - Throws: ``ChatSendError`` if the message is not accepted.
    @discardableResult
    public func press(
        _ button: ChatScreenMessage.Button, id: MessageID
    ) async throws(ChatSendError) -> ChatReceipt {
        note("pressed a button", secret: button.text)
        return try await driver.send(OutgoingMessage(pressing: button), id: id)
    }

    /// Sends a file once, with or without a text. Suspends until the file is copied and the message is stored on disk,
    /// even if the task is cancelled. A repeated call has the same text, and a file with the same name and size.
    ///
    /// - Parameters:
    ///   - file: A local file.
    ///   - id: The identifier of the message, as for ``send(_:id:)``.
    ///   - name: The name that the other side sees; `nil` for the file's own name.
    ///   - type: The media type.
    ///   - text: A text to send with the file.
    ///   - durationMilliseconds: The length of a voice message, which is a file of an audio type.
    /// - Throws: ``ChatSendError`` if the message is not accepted: the file cannot be read, it is too large, or the
    ///   server does not accept its type.
    @discardableResult
    public func attach(
        _ file: URL, id: MessageID, name: String? = nil, type: String = "application/octet-stream", text: String? = nil,
        durationMilliseconds: Int64? = nil
    ) async throws(ChatSendError) -> ChatReceipt {
        note("attaches a file of type \(type)", secret: file.path)
        let source = ChatFileSource(bytes: .file(file), name: name ?? file.lastPathComponent, type: type)
        let size = await Blocking.run { ChatDriver.size(of: source) }
        // A repeated call needs no copy. The file may be gone by now.
        let content = SentContent(text: text, files: [SentContent.File(name: source.name, size: size)])
        if let receipt = try await driver.known(id, content) { return receipt }
        var copy = try await Blocking.run { [driver] () throws(ChatSendError) in try driver.keep(source) }
        copy.durationMilliseconds = durationMilliseconds.flatMap { $0 < 0 ? nil : $0 }
        return try await driver.send(OutgoingMessage(text: text, files: [copy]), id: id)
    }
}
