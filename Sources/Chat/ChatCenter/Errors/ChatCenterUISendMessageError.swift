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
