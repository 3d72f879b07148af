public import HoldfastTrust

/// What the evaluation of a pinned host found. The numbers are TrustKit's; they go into reports.
public enum TSKTrustEvaluationResult: Int, Hashable, Sendable, CaseIterable {
    /// The chain is valid and a pin matched.
    case success = 0
    /// The chain is valid and no pin matched.
    case failedNoMatchingPin = 1
    /// The chain is not valid for the host.
    case failedInvalidCertificateChain = 2
    /// Host, chain or configuration cannot be used.
    case errorInvalidParameters = 3
    /// The path ends in a local anchor for which pins do not count.
    case failedUserDefinedTrustAnchor = 4
    /// The server's own certificate cannot be read. A certificate above it that cannot be read is passed over.
    case errorCouldNotGenerateSpkiHash = 5

    /// TrustKit's name for Holdfast's result.
    public init(_ result: TrustKitResult) {
        self =
            switch result {
            case .success: .success
            case .failedNoMatchingPin: .failedNoMatchingPin
            case .failedInvalidCertificateChain: .failedInvalidCertificateChain
            case .errorInvalidParameters: .errorInvalidParameters
            case .failedUserDefinedTrustAnchor: .failedUserDefinedTrustAnchor
            case .errorCouldNotGenerateSPKIHash: .errorCouldNotGenerateSpkiHash
            }
    }
}
