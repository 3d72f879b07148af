/// A purpose in a certificate's extended key usage.
public enum ExtendedUsage: Hashable, Sendable {
    case serverAuth
    case clientAuth
    case codeSigning
    case emailProtection
    case ocspSigning
    /// `anyExtendedKeyUsage`.
    case any
    /// Any other, as a dotted object identifier.
    case other(String)

    var objectIdentifier: String {
        switch self {
        case .serverAuth: "1.3.6.1.5.5.7.3.1"
        case .clientAuth: "1.3.6.1.5.5.7.3.2"
        case .codeSigning: "1.3.6.1.5.5.7.3.3"
        case .emailProtection: "1.3.6.1.5.5.7.3.4"
        case .ocspSigning: "1.3.6.1.5.5.7.3.9"
        case .any: "2.5.29.37.0"
        case .other(let oid): oid
        }
    }
}
