import HoldfastTrust

/// The entity tag of the bundle that is kept, on the disk beside it. It belongs to the bundle's bytes: where others are in
/// force, or none, it is not sent, so that a lost bundle is fetched again.
struct BundleTag: Hashable, Sendable {
    /// Longer tags are not kept.
    static let maximumLength = 1_024

    /// As the server wrote it, quotes included.
    var text: String
    /// The digest of the bundle's bytes.
    var digest: SPKIDigest

    /// Takes a server's tag for a bundle; `nil` for one that is too long or cannot be sent back.
    init?(_ text: String?, for bundle: [UInt8]) {
        guard let text, !text.isEmpty, text.utf8.count <= Self.maximumLength,
            text.utf8.allSatisfy({ (0x21...0x7E).contains($0) })
        else { return nil }
        self.text = text
        self.digest = SPKIDigest(hashing: bundle)
    }

    /// Reads a file; `nil` if it is none.
    init?(file: [UInt8]) {
        let lines = String(decoding: file, as: UTF8.self).split(separator: "\n", omittingEmptySubsequences: false)
        guard lines.count == 3, lines[2].isEmpty, let digest = SPKIDigest(base64: String(lines[0])),
            let tag = BundleTag(String(lines[1]), for: [])
        else { return nil }
        self.text = tag.text
        self.digest = digest
    }

    /// The file's contents.
    var file: [UInt8] { Array("\(digest.base64)\n\(text)\n".utf8) }

    /// Whether it is the tag of these bytes.
    func isFor(_ bundle: [UInt8]) -> Bool { SPKIDigest(hashing: bundle) == digest }
}
