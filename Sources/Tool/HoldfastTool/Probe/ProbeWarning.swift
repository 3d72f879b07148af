import HoldfastTrust

/// Something about a server that is no verdict, and wants to be known.
struct ProbeWarning: Hashable, Sendable {
    /// The kind: stable.
    enum Code: String, Hashable, Sendable, CaseIterable {
        /// The server's certificate ends soon, or has ended.
        case leafExpires
        /// Another certificate of the chain ends soon, or has ended.
        case issuerExpires
        /// The policy's rule for the host ends soon, or has ended.
        case policyExpires
        /// No rule of the policy is for the host, or it is left out.
        case notInPolicy
        /// No pin matches, and the policy only has that reported.
        case onlyReported
        /// A pinned key was shown that is on no verified path: it does not count.
        case pinNotVerified
        /// A certificate that was sent cannot be read.
        case unreadableCertificate
        /// A file of the folder is PEM.
        case pemFile
        /// Two connections in a row were answered otherwise.
        case differingAnswers
    }

    /// The kind.
    var code: Code
    /// One sentence, safe to print.
    var sentence: String
    /// What it is about, so that a watch says it once: a certificate's hash, a number of days.
    var detail: String = ""
    /// The days that are left, for an end.
    var daysLeft: Int64?

    var description: String { "\(code.rawValue): \(sentence)" }
}
