import Crypto
import HoldfastBase

/// A picture of a theme that the page can show.
struct ThemePicture: Hashable, Sendable {
    /// The reason why the page cannot show a picture.
    enum Refusal: Error, Hashable, Sendable, CustomStringConvertible {
        case tooLarge(Int)
        case unknownFormat
        /// The bytes have another format than the stated media type.
        case otherFormat(String)
        /// No picture has the name that the theme uses.
        case missing(String)

        var description: String {
            switch self {
            case .tooLarge(let size):
                "The picture has \(size) bytes; at most \(ChatPagePictures.maximumBytes) are allowed."
            case .unknownFormat: "The picture is not a PNG, JPEG, GIF or WebP file."
            case .otherFormat(let type): "The picture is a file of the type \(type), unlike its stated media type."
            case .missing(let name): "ChatPagePictures has no picture with the name \"\(Printable.text(name))\"."
            }
        }
    }

    /// The bytes of the file.
    let bytes: [UInt8]
    /// The media type, recognized by the first bytes.
    let type: String
    /// A digest of the bytes, which names the picture in its address.
    let digest: String

    /// Checks the bytes of a file.
    ///
    /// - Parameter type: The stated media type; `nil` if there is none.
    init(_ bytes: [UInt8], type: String? = nil) throws(Refusal) {
        guard bytes.count <= ChatPagePictures.maximumBytes else { throw .tooLarge(bytes.count) }
        guard let kind = ImageKind(bytes), kind != .avif else { throw .unknownFormat }
        if let type, type.lowercased() != kind.rawValue { throw .otherFormat(kind.rawValue) }
        self.bytes = bytes
        self.type = kind.rawValue
        digest = String(Array(SHA256.hash(data: bytes)).hexadecimal.prefix(32))
    }
}
