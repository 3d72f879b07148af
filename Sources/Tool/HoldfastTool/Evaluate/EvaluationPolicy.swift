import HoldfastTrust

/// The policy of a case.
struct EvaluationPolicy: Hashable {
    /// What the pins stand beside.
    enum Mode: String, Hashable, CaseIterable {
        /// The pins are compared with a path that the system verification accepted.
        case system
        /// The pinned keys take the place of the system verification, as in the chat SDK.
        case pinnedKeysOnly
    }

    /// SHA-256 hashes of SubjectPublicKeyInfos.
    var pins: [SPKIDigest]
    /// Pinned certificates, as PEM.
    var certificates: [String]
    /// What the pins stand beside.
    var mode: Mode
    /// Whether a mismatch refuses the server.
    var enforce: Bool
    /// Where on the path a pin may match.
    var scope: Pin.Scope
    /// When the policy ceases to apply.
    var expires: Timestamp?
    /// Whether the host name has to match; only for pinned keys.
    var hostnameVerification: PinnedKeysOnly.HostnameVerification
}
