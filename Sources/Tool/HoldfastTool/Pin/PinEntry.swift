import HoldfastTrust

/// One key and what is known about it.
struct PinEntry: Hashable {
    /// What held the key.
    enum Kind: String, Hashable {
        case certificate
        case certificationRequest
        case publicKey

        /// The kind in words.
        var words: String {
            switch self {
            case .certificate: "certificate"
            case .certificationRequest: "certification request"
            case .publicKey: "public key"
            }
        }
    }

    /// What held the key.
    var kind: Kind
    /// The key.
    var key: PublicKeyInfo
    /// The certificate, where it is one.
    var certificate: CertificateView?
    /// The openssl command that prints the same hash.
    var command = ""

    /// Describes a key. The command is still missing.
    init(_ key: PinSource) {
        self.key = key.publicKey
        switch key {
        case .certificate(let view):
            kind = .certificate
            certificate = view
        case .certificationRequest:
            kind = .certificationRequest
        case .publicKey:
            kind = .publicKey
        }
    }
}
