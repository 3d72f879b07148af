import ChatCenterCore

/// The reason why the SDK does not accept a message, with details.
///
/// - Remedy: Show `reason` to the user, and change the message or send it again later.
public struct ChatSendError: Error, CustomStringConvertible, Sendable {
    /// The documented kind of refusal.
    public var code: ChatCenterUISendMessageError
    /// The limit that was exceeded: characters of a text, bytes of a file, or messages in the queue.
    public var limit: Int64?
    /// The reason why a file is not accepted; `nil` for other refusals. ``ChatScreen/attachmentLimits`` lists the
    /// limits in advance.
    public var attachmentRefusal: ChatAttachmentLimits.Refusal?
    /// The reason as one sentence that can be shown to a person.
    public var reason: String
    /// The error of the disk or the database, if any.
    public var underlying: (any Error)?

    init(
        _ code: ChatCenterUISendMessageError, _ reason: String, limit: Int64? = nil, underlying: (any Error)? = nil
    ) {
        self.code = code
        self.limit = limit
        self.reason = reason
        self.underlying = underlying
    }

    init(_ refusal: ChatAttachmentLimits.Refusal) {
        switch refusal {
        case .tooLarge(let limit): self.init(.messageImageTooLarge, "\(refusal)", limit: limit)
        case .typeNotAllowed: self.init(.messageNotSent, "\(refusal)")
        }
        attachmentRefusal = refusal
    }

    init(_ refusal: SendRefusal, errors: ErrorTable, allowed: [String] = []) {
        switch refusal {
        case .notAuthorized:
            self.init(.userNotAuthorized, "No user is authorized.")
        case .empty:
            self.init(.messageIsEmpty, "The message is empty.")
        case .tooLong(let limit):
            self.init(
                .messageTooLong, "The text is too long. At most \(limit) characters are allowed.", limit: Int64(limit))
        case .fileTooLarge(let limit):
            self.init(ChatAttachmentLimits.Refusal.tooLarge(maximumBytes: limit))
        case .fileTypeNotAllowed(let type):
            self.init(ChatAttachmentLimits.Refusal.typeNotAllowed(fileExtension: type, allowed: allowed))
        case .socketNotActive:
            self.init(.webSocketNotActive, "The socket is closed, and the outbox is disabled.")
        case .queueFull(let limit):
            self.init(.messageNotSent, "The outbox is full: \(limit) messages are waiting.", limit: Int64(limit))
        case .duplicate:
            self.init(.messageNotSent, "A message with this identifier already exists.")
        case .identifierInUse:
            self.init(
                .messageIdentifierInUse, "The message was not sent, because another message has its identifier.")
        case .store(let failure):
            let error = errors.error(failure.errorID)
            self.init(
                .messageNotSent,
                "The message cannot be stored (\(failure.kind.rawValue))" + (error.map { ": \($0)" } ?? "."),
                underlying: error)
        }
    }

    /// A textual description, for logs.
    public var description: String { "\(code): \(reason)" }
}

/// The kind of reason why the SDK does not accept a message.
///
/// For an accepted message, its fate reports what happens to it: see `ChatCenterUISDK.send(_:)`.
///
/// - Remedy: Change the message, or send it again later. `ChatSendError.reason` can be shown to the user.
public enum ChatCenterUISendMessageError: Error, Hashable, Sendable, CaseIterable {
    /// No user is authorized.
    case userNotAuthorized
    /// The socket is not open, and ``ChatConfig/outboxEnabled`` is `false`.
    case webSocketNotActive
    /// Declared for source compatibility; never thrown.
    case chatNotOpened
    /// The message could not be stored: the disk or the outbox is full. Also thrown if the server does not accept files
    /// of this type; ``ChatSendError/attachmentRefusal`` has the details.
    case messageNotSent
    /// The text is empty or contains only white space.
    case messageIsEmpty
    /// The text has more than ``ChatMessage/maximumTextLength`` characters.
    case messageTooLong
    /// The picture or other file is larger than the server allows.
    case messageImageTooLarge
    /// The picture could not be converted to JPEG. Thrown only on Apple platforms, where the SDK compresses pictures.
    case messageImageCompressionError
    /// A message with different content has the identifier that the caller chose. Send the message with a new
    /// identifier. Thrown only by calls with an identifier, such as ``ChatScreen/send(_:id:)``.
    case messageIdentifierInUse
}
