import Foundation

#if canImport(UIKit)
import UIKit

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
