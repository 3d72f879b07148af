/// The script and the styles of the desk, which the program contains.
package enum ReportDeskFiles {
    package static let script = ReportDeskFile(
        name: "desk.js", contentType: "text/javascript; charset=utf-8", text: ReportDeskContents.desk_js)
    package static let styles = ReportDeskFile(
        name: "desk.css", contentType: "text/css; charset=utf-8", text: ReportDeskContents.desk_css)
    package static let all = [script, styles]
}

/// A file of the desk.
package struct ReportDeskFile: Sendable {
    /// The name below the desk's path.
    package let name: String
    package let contentType: String
    package let bytes: [UInt8]
    /// The path with a digest of the contents. A browser may keep the file under this address forever.
    package let address: String

    init(name: String, contentType: String, text: String) {
        self.name = name
        self.contentType = contentType
        bytes = Array(text.utf8)
        // FNV-1a. The digest names a version in a cache; it protects nothing.
        var digest: UInt64 = 0xCBF2_9CE4_8422_2325
        for byte in bytes { digest = (digest ^ UInt64(byte)) &* 0x0000_0100_0000_01B3 }
        address = "\(DeskPaths.root)/\(name)?v=\(String(digest, radix: 16))"
    }
}
