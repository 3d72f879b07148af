/// The extensions that ``CertificateFactory`` writes by itself.
public enum StandardExtension: String, Hashable, Sendable, CaseIterable {
    case basicConstraints
    case keyUsage
    case extendedKeyUsage
    case subjectAlternativeName
    case nameConstraints
    case subjectKeyIdentifier
    case authorityKeyIdentifier

    var objectIdentifier: String {
        switch self {
        case .basicConstraints: "2.5.29.19"
        case .keyUsage: "2.5.29.15"
        case .extendedKeyUsage: "2.5.29.37"
        case .subjectAlternativeName: "2.5.29.17"
        case .nameConstraints: "2.5.29.30"
        case .subjectKeyIdentifier: "2.5.29.14"
        case .authorityKeyIdentifier: "2.5.29.35"
        }
    }
}
