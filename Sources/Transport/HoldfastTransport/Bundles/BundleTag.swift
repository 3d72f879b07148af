import HoldfastTrust

/// The entity tag of the bundle that is kept, on the disk beside it. It belongs to the bundle's bytes: where others are in
/// force, or none, it is not sent, so that a lost bundle is fetched again. It is sent for a day: a server that once told a wrong one
/// must not be able to keep all later bundles away.
struct BundleTag: Hashable, Sendable {
    /// Longer tags are not kept.
    static let maximumLength = 1_024
    /// Seconds for which it is sent.
    static let lifetime: Int64 = 86_400

    /// As the server wrote it, quotes included.
    var text: String
    /// The digest of the bundle's bytes.
    var digest: SHA256Hash
    /// When the bundle came with it.
    var time: Timestamp

    /// Takes a server's tag for a bundle; `nil` for one that is too long, or is not one entity tag (RFC 9110, 8.8.3). Anything else means
    /// something else in `If-None-Match`: `*`, or a list, may be answered with 304 whatever the server has.
    init?(_ text: String?, for bundle: [UInt8], at time: Timestamp) {
        guard let text, Self.isTag(text) else { return nil }
        self.text = text
        self.digest = SHA256Hash(hashing: bundle)
        self.time = time
    }

    private static func isTag(_ text: String) -> Bool {
        text.utf8.count <= maximumLength
            && EntityValidator.isStrongTag(text.hasPrefix("W/") ? text.dropFirst(2) : text[...])
    }

    /// Reads a file; `nil` if it is none.
    init?(file: [UInt8]) {
        let lines = String(decoding: file, as: UTF8.self).split(separator: "\n", omittingEmptySubsequences: false)
        guard lines.count == 4, lines[3].isEmpty, let digest = SHA256Hash(base64: String(lines[0])),
            Self.isTag(String(lines[1])), let seconds = Int64(lines[2])
        else { return nil }
        self.text = String(lines[1])
        self.digest = digest
        // So that it can be subtracted, whatever the file says.
        self.time = Timestamp(secondsSince1970: min(max(seconds, -(1 << 40)), 1 << 40))
    }

    /// The file's contents.
    var file: [UInt8] { Array("\(digest.base64)\n\(text)\n\(time.secondsSince1970)\n".utf8) }

    /// Whether it is the tag of these bytes.
    func isFor(_ bundle: [UInt8]) -> Bool { SHA256Hash(hashing: bundle) == digest }

    /// Whether it may be sent. A clock that went back ends it, too.
    func isFresh(at now: Timestamp) -> Bool {
        (0..<Self.lifetime).contains(now.secondsSince1970 - time.secondsSince1970)
    }
}
