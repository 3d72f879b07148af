/// The formats of pictures that the server passes on, recognized by their first bytes. The sender's media type does not
/// count: a page with markup is not a picture, whatever its type says. SVG is not among them, because it contains
/// scripts.
enum ImageKind: String, Hashable, Sendable, CaseIterable {
    case png = "image/png"
    case jpeg = "image/jpeg"
    case gif = "image/gif"
    case webp = "image/webp"
    case avif = "image/avif"

    /// Recognizes a picture by its first bytes; `nil` for anything else.
    init?(_ bytes: some Sequence<UInt8>) {
        let head = Array(bytes.prefix(12))
        func has(_ text: [UInt8], at offset: Int = 0) -> Bool {
            head.count >= offset + text.count && Array(head[offset..<offset + text.count]) == text
        }
        if has([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]) {
            self = .png
        } else if has([0xFF, 0xD8, 0xFF]) {
            self = .jpeg
        } else if has(Array("GIF87a".utf8)) || has(Array("GIF89a".utf8)) {
            self = .gif
        } else if has(Array("RIFF".utf8)), has(Array("WEBP".utf8), at: 8) {
            self = .webp
        } else if has(Array("ftyp".utf8), at: 4), has(Array("avif".utf8), at: 8) || has(Array("avis".utf8), at: 8) {
            self = .avif
        } else {
            return nil
        }
    }
}
