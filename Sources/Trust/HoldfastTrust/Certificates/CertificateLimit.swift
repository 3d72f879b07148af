/// A limit on what is read of one certificate. A peer chooses how much it sends, and a verifier how much it looks at.
struct CertificateLimit: Hashable, Sendable {
    /// What is limited, in the plural.
    var what: String
    /// The largest number that is read.
    var count: Int

    /// Words for a person, without a full stop.
    var reason: String { "it has more than \(count) \(what)" }
}
