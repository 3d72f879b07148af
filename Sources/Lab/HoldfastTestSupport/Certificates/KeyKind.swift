/// The kinds of key that ``CertificateFactory`` makes.
public enum KeyKind: String, Hashable, Sendable, CaseIterable {
    case p256
    case p384
    case p521
    case ed25519
    /// Too weak for any verifier. For attacks.
    case rsa1024
    case rsa2048
    case rsa4096

    /// Whether making such a key takes long enough to matter in a test: use ``Key/shared(_:_:)`` then.
    public var isExpensive: Bool {
        switch self {
        case .rsa1024, .rsa2048, .rsa4096: true
        case .p256, .p384, .p521, .ed25519: false
        }
    }
}
