public import ChatCenterCore
// `CGPoint` is not in FoundationEssentials.
public import Foundation

#if canImport(UIKit)
public import UIKit
#endif

/// A message that the app sends on behalf of the user.
public enum ChatMessage: Sendable {
    /// The maximum number of characters in a text.
    ///
    /// - Error: `ChatCenterUISendMessageError.messageTooLong`
    public static let maximumTextLength = 4000

    /// A text of at most ``maximumTextLength`` characters.
    case text(String)
    #if canImport(UIKit)
    /// A picture, sent as JPEG.
    case image(UIImage)
    #else
    /// A picture as a file. Its bytes are sent unchanged, because this platform has no image codec.
    case image(ChatImage)
    #endif
    /// A place: `x` is the latitude, `y` the longitude. Sending the same place again is ignored.
    case location(CGPoint)
}

/// An accepted message: it is stored on disk, and will be sent or reported as failed.
public struct ChatReceipt: Sendable {
    /// The message's identifier, the same on both ends and after a restart.
    public let id: MessageID
    /// Reports what happens to the message. Reading it is optional.
    public let fate: ChatMessageFate
}

/// A picture as the contents of a file.
public struct ChatImage: Hashable, Sendable {
    /// The file's bytes.
    public var data: Data
    /// Its media type, such as `image/jpeg`.
    public var mimeType: String

    /// Creates a picture from a file's bytes.
    public init(data: Data, mimeType: String = "image/jpeg") {
        self.data = data
        self.mimeType = mimeType
    }

    /// The file extension for this media type.
    package var fileExtension: String {
        switch mimeType.lowercased() {
        case "image/jpeg", "image/jpg": "jpeg"
        case "image/png": "png"
        case "image/gif": "gif"
        case "image/webp": "webp"
        case "image/heic": "heic"
        default: "bin"
        }
    }
}

/// A file to attach.
struct ChatFileSource: Sendable {
    enum Bytes: Sendable {
        case data(Data)
        case file(URL)
    }

    var bytes: Bytes
    /// The name that the other side sees.
    var name: String
    /// The media type.
    var type: String
}

#if canImport(UIKit)
extension UIImage {
    /// Returns the picture as a JPEG file.
    func fileSource() throws(ChatSendError) -> ChatFileSource {
        guard let data = jpegData(compressionQuality: 0.8) else {
            throw ChatSendError(.messageImageCompressionError, "The picture cannot be converted to JPEG.")
        }
        return ChatFileSource(bytes: .data(data), name: "image.jpeg", type: "image/jpeg")
    }
}
#else
extension ChatImage {
    /// Returns the picture without conversion.
    func fileSource() throws(ChatSendError) -> ChatFileSource {
        guard !data.isEmpty else { throw ChatSendError(.messageIsEmpty, "The picture is empty.") }
        return ChatFileSource(bytes: .data(data), name: "image.\(fileExtension)", type: mimeType)
    }
}
#endif
