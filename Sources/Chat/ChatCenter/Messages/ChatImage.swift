public import Foundation

#if canImport(UIKit)
import UIKit
#endif

/// A picture as the bytes of a file.
public struct ChatImage: Hashable, Sendable {
    /// The file's bytes.
    public var data: Data
    /// Its media type, such as `image/jpeg`.
    public var mimeType: String

    /// Takes a file's bytes.
    public init(data: Data, mimeType: String = "image/jpeg") {
        self.data = data
        self.mimeType = mimeType
    }

    /// The extension for a file of this type.
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

/// A file that is to be attached.
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
    /// The picture as a JPEG file.
    func fileSource() throws(ChatSendError) -> ChatFileSource {
        guard let data = jpegData(compressionQuality: 0.8) else {
            throw ChatSendError(.messageImageCompressionError, "The picture cannot be made a JPEG.")
        }
        return ChatFileSource(bytes: .data(data), name: "image.jpeg", type: "image/jpeg")
    }
}
#else
extension ChatImage {
    /// The picture as it is.
    func fileSource() throws(ChatSendError) -> ChatFileSource {
        guard !data.isEmpty else { throw ChatSendError(.messageIsEmpty, "The picture has no bytes.") }
        return ChatFileSource(bytes: .data(data), name: "image.\(fileExtension)", type: mimeType)
    }
}
#endif
