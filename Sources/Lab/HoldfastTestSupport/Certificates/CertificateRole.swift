/// What a minted certificate is for: it decides the defaults.
enum CertificateRole: Hashable, Sendable {
    case authority
    case intermediate
    case leaf

    /// How long it is valid after the factory's time, in days.
    var days: Int64 {
        switch self {
        case .authority: 3_650
        case .intermediate: 1_825
        case .leaf: 90
        }
    }

    var keyUsage: KeyUsages {
        switch self {
        case .authority, .intermediate: [.keyCertSign, .crlSign, .digitalSignature]
        case .leaf: [.digitalSignature]
        }
    }
}
