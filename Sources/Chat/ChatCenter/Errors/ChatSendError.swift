import ChatCenterCore

/// Why a message is not taken, with the facts.
public struct ChatSendError: Error, CustomStringConvertible, Sendable {
    /// The documented kind of refusal.
    public var code: ChatCenterUISendMessageError
    /// The limit that was passed: characters of a text, bytes of a file, messages in the queue.
    public var limit: Int64?
    /// Why a file was not taken; `nil` where no file is to blame. ``ChatScreen/attachmentLimits`` tells it before.
    public var attachmentRefusal: ChatAttachmentLimits.Refusal?
    /// One sentence for a person.
    public var reason: String
    /// The error of the disk or the database, where there was one.
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
            self.init(.userNotAuthorized, "Nobody is authorised.")
        case .empty:
            self.init(.messageIsEmpty, "The message is empty.")
        case .tooLong(let limit):
            self.init(.messageTooLong, "A text may have \(limit) characters.", limit: Int64(limit))
        case .fileTooLarge(let limit):
            self.init(ChatAttachmentLimits.Refusal.tooLarge(maximumBytes: limit))
        case .fileTypeNotAllowed(let type):
            self.init(ChatAttachmentLimits.Refusal.typeNotAllowed(fileExtension: type, allowed: allowed))
        case .socketNotActive:
            self.init(.webSocketNotActive, "The socket is closed, and the outbox is switched off.")
        case .queueFull(let limit):
            self.init(.messageNotSent, "\(limit) messages are waiting already.", limit: Int64(limit))
        case .duplicate:
            self.init(.messageNotSent, "A message with this identifier is there already.")
        case .store(let failure):
            let error = errors.error(failure.errorID)
            self.init(
                .messageNotSent,
                "The message cannot be kept (\(failure.kind.rawValue))" + (error.map { ": \($0)" } ?? "."),
                underlying: error)
        }
    }

    public var description: String { "\(code): \(reason)" }
}

/// Why a message is not taken.
///
/// What happens to a message that *was* taken is told by its fate, see ``ChatCenterUISDK/send(_:)``.
public enum ChatCenterUISendMessageError: Error, Hashable, Sendable, CaseIterable {
    /// Nobody is authorised.
    case userNotAuthorized
    /// The socket is not open, and ``ChatConfig/outboxEnabled`` is `false`.
    case webSocketNotActive
    /// Declared for source compatibility; never thrown.
    case chatNotOpened
    /// The message could not be stored: the disk is full, or the outbox is. Also: the server does not take files of this
    /// type, of which ``ChatSendError/attachmentRefusal`` has the details.
    case messageNotSent
    /// There is no text, or only white space.
    case messageIsEmpty
    /// The text has more than ``ChatMessage/maximumTextLength`` characters.
    case messageTooLong
    /// The picture, or another file, is larger than the server allows.
    case messageImageTooLarge
    /// The picture could not be made a JPEG. Only where the SDK compresses pictures itself, that is on Apple platforms.
    case messageImageCompressionError
}
