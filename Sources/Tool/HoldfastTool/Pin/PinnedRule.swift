import HoldfastTrust

/// The keys that `holdfast pin` found for one host.
struct PinnedRule: Hashable {
    /// One key.
    struct Key: Hashable {
        /// The pin.
        var digest: SPKIDigest
        /// Whose key it is, safe inside a comment of any language.
        var comment: String
    }

    /// The hosts.
    var pattern: HostPattern
    /// The keys, each once.
    private(set) var keys: [Key] = []

    /// Starts without keys.
    init(_ pattern: HostPattern) {
        self.pattern = pattern
    }

    /// Adds the keys that are not there yet.
    mutating func add(_ entries: [PinEntry]) {
        for entry in entries where !keys.contains(where: { $0.digest == entry.key.digest }) {
            keys.append(Key(digest: entry.key.digest, comment: PinnedRule.comment(on: entry)))
        }
    }

    /// What the key belongs to. A certificate is a stranger's text, and Java reads escapes even inside comments: only characters
    /// that mean nothing in any of the languages are kept.
    private static func comment(on entry: PinEntry) -> String {
        guard let certificate = entry.certificate else { return entry.kind.words }
        let end = certificate.notAfter.map { ", until " + $0.description.prefix(10) } ?? ""
        let subject = String(
            String.UnicodeScalarView(
                certificate.subject.unicodeScalars.prefix(80).map { scalar in
                    let isPlain = scalar.isASCII && (scalar.properties.isAlphabetic || ("0"..."9").contains(scalar))
                    return isPlain || " =.,*:()+@_".unicodeScalars.contains(scalar) ? scalar : "?"
                }))
        return subject + end
    }
}
