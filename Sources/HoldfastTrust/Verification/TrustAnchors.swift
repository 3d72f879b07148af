/// The certificates that a path may end in.
public struct TrustAnchors: Sendable {
    package enum Storage: Sendable {
        case system
        case only([CertificateView])
        case systemAnd([CertificateView])
    }

    package let storage: Storage

    /// The machine's own roots.
    public static let system = TrustAnchors(storage: .system)

    /// These certificates and no others.
    public static func only(_ certificates: [CertificateView]) -> TrustAnchors {
        TrustAnchors(storage: .only(certificates))
    }

    /// These certificates beside the machine's own roots.
    public static func system(and certificates: [CertificateView]) -> TrustAnchors {
        TrustAnchors(storage: .systemAnd(certificates))
    }
}
