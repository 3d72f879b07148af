import HoldfastTrust

extension TrustKitResult {
    /// The result's name in answers and queries.
    var name: String {
        switch self {
        case .success: "success"
        case .failedNoMatchingPin: "failedNoMatchingPin"
        case .failedInvalidCertificateChain: "failedInvalidCertificateChain"
        case .errorInvalidParameters: "errorInvalidParameters"
        case .failedUserDefinedTrustAnchor: "failedUserDefinedTrustAnchor"
        case .errorCouldNotGenerateSPKIHash: "errorCouldNotGenerateSPKIHash"
        }
    }

    /// Creates the result with this name or number; `nil` if there is none.
    init?(named text: String) {
        if let found = Self.allCases.first(where: { $0.name == text || String($0.rawValue) == text }) {
            self = found
        } else {
            return nil
        }
    }
}
