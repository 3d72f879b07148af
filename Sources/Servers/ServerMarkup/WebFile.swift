/// A script or a style sheet that a program contains.
package struct WebFile: Hashable, Sendable {
    /// The name below the path of its pages.
    package let name: String
    package let contentType: String
    package let bytes: [UInt8]
    /// The path with a digest of the contents. A browser may keep the file under this address forever.
    package let address: String

    /// Returns a script of the pages below a path.
    package static func script(_ name: String, below path: String, _ text: String) -> WebFile {
        WebFile(name, below: path, "text/javascript; charset=utf-8", text)
    }

    /// Returns a style sheet of the pages below a path.
    package static func styles(_ name: String, below path: String, _ text: String) -> WebFile {
        WebFile(name, below: path, "text/css; charset=utf-8", text)
    }

    private init(_ name: String, below path: String, _ contentType: String, _ text: String) {
        self.name = name
        self.contentType = contentType
        bytes = Array(text.utf8)
        // FNV-1a. The digest names a version in a cache; it protects nothing.
        var digest: UInt64 = 0xCBF2_9CE4_8422_2325
        for byte in bytes { digest = (digest ^ UInt64(byte)) &* 0x0000_0100_0000_01B3 }
        address = "\(path)/\(name)?v=\(String(digest, radix: 16))"
    }
}
