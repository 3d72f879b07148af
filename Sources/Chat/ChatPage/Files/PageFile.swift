import HoldfastBase

/// A file that the page loads, such as its script.
public struct PageFile: Hashable, Sendable {
    /// The path below the base path, such as `page.js`.
    public let path: String
    /// The media type.
    public let contentType: String
    /// The content.
    public let bytes: [UInt8]
    /// A short digest of the content. The page requests the file with `?v=DIGEST`, so that a browser can store it
    /// forever.
    public let digest: String

    init(path: String, contentType: String, contents: String) {
        self.path = path
        self.contentType = contentType
        bytes = Array(contents.utf8)
        digest = Self.digest(of: bytes)
    }

    /// Returns the 64-bit FNV-1a hash in hexadecimal. It is a key for caches and no protection against changes.
    static func digest(of bytes: [UInt8]) -> String {
        var hash: UInt64 = 0xCBF2_9CE4_8422_2325
        for byte in bytes { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
        return hash.padded(to: 16, radix: 16)
    }
}

/// The files of the page. `scripts/embed-page.sh` copies them from the folder `Web` into the source.
public enum PageFiles {
    /// The page's script, an ES module.
    public static let script = PageFile(
        path: "page.js", contentType: "text/javascript; charset=utf-8", contents: PageContents.page_js)
    /// The page's styles.
    public static let styles = PageFile(
        path: "page.css", contentType: "text/css; charset=utf-8", contents: PageContents.page_css)
    /// All files.
    public static let all = [script, styles]
}
