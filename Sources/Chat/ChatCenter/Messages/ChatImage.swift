#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
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
