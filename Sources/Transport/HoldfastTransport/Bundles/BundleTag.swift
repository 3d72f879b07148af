package import HoldfastTrust

/// The entity tag of the stored bundle, in a file next to it.
///
/// The tag belongs to the bundle's bytes and is sent only while these bytes are in force, so that a lost bundle is
/// fetched again. A tag is used for one day: a server that once sent a wrong tag must not suppress all later bundles.
package struct BundleTag: Hashable, Sendable {
    /// The maximum length of a tag, in bytes. Longer tags are not stored.
    static let maximumLength = 1_024
    /// The time for which a tag is sent, in seconds.
    static let lifetime: Int64 = 86_400

    /// The tag as the server sent it, including its quotes.
    package var text: String
    /// The digest of the bundle's bytes.
    package var digest: SHA256Hash
    /// The time at which the bundle was received.
    package var time: Timestamp

    /// Creates a record of a server's tag for a bundle; `nil` if the tag is too long or not a single entity tag (RFC
    /// 9110, 8.8.3). Other values have another meaning in `If-None-Match`: a server may answer `*` or a list with 304
    /// for any bundle.
    package init?(_ text: String?, digest: SHA256Hash, at time: Timestamp) {
        guard let text, Self.isTag(text) else { return nil }
        self.init(valid: text, digest: digest, at: time)
    }

    /// Creates a record of a server's tag for the bytes of a bundle.
    init?(_ text: String?, for bundle: [UInt8], at time: Timestamp) {
        self.init(text, digest: SHA256Hash(hashing: bundle), at: time)
    }

    /// Creates a record of a valid tag.
    package init(valid text: String, digest: SHA256Hash, at time: Timestamp) {
        self.text = text
        self.digest = digest
        self.time = time
    }

    private static func isTag(_ text: String) -> Bool {
        text.utf8.count <= maximumLength
            && EntityValidator.isStrongTag(text.hasPrefix("W/") ? text.dropFirst(2) : text[...])
    }

    /// Parses a file; `nil` if it is invalid.
    init?(file: [UInt8]) {
        let lines = String(decoding: file, as: UTF8.self).split(separator: "\n", omittingEmptySubsequences: false)
        guard lines.count == 4, lines[3].isEmpty, let digest = SHA256Hash(base64: String(lines[0])),
            Self.isTag(String(lines[1])), let seconds = Int64(lines[2])
        else { return nil }
        self.text = String(lines[1])
        self.digest = digest
        // The limits prevent an overflow when times are subtracted.
        self.time = Timestamp(secondsSince1970: min(max(seconds, -(1 << 40)), 1 << 40))
    }

    /// The contents of the file.
    var file: [UInt8] { Array("\(digest.base64)\n\(text)\n\(time.secondsSince1970)\n".utf8) }

    /// Returns whether the tag belongs to these bytes.
    func isFor(_ bundle: [UInt8]) -> Bool { SHA256Hash(hashing: bundle) == digest }

    /// Returns whether the tag may be sent. If the clock was set back, the tag is not fresh.
    package func isFresh(at now: Timestamp) -> Bool {
        (0..<Self.lifetime).contains(now.secondsSince1970 - time.secondsSince1970)
    }
}
