import HoldfastTrust
package import PinReports

extension IncidentState {
    /// The state in words.
    package var words: String {
        switch self {
        case .new: "new"
        case .acknowledged: "acknowledged"
        case .resolved: "resolved"
        case .cameBack: "came back"
        }
    }
}

extension IncidentKey {
    /// The app's identifier in a page.
    package var appText: String { app.isEmpty ? "unknown app" : app }

    /// The result in words.
    package var resultText: String {
        guard let result else { return "no pin matched (RFC 7469)" }
        guard let known = TrustKitResult(rawValue: result) else { return "unknown result \(result)" }
        switch known {
        case .success: return "success"
        case .failedNoMatchingPin: return "no pin matched"
        case .failedInvalidCertificateChain: return "the chain is invalid"
        case .errorInvalidParameters: return "invalid parameters"
        case .failedUserDefinedTrustAnchor: return "a local trust anchor"
        case .errorCouldNotGenerateSPKIHash: return "the key cannot be read"
        }
    }
}

extension IncidentSummary {
    /// The number of clients in words. An estimate is marked.
    package var clientsText: String { isExact ? String(clients) : "about \(clients)" }
}
