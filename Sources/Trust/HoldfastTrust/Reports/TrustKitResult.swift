/// TrustKit's evaluation results, whose numbers go into reports.
public enum TrustKitResult: Int, Hashable, Sendable, CaseIterable {
    case success = 0
    case failedNoMatchingPin = 1
    case failedInvalidCertificateChain = 2
    case errorInvalidParameters = 3
    case failedUserDefinedTrustAnchor = 4
    case errorCouldNotGenerateSPKIHash = 5

    /// The result that stands for a verdict; `nil` where no pin applied, for which TrustKit has no result.
    public init?(_ verdict: TrustVerdict) {
        switch verdict.finding.code {
        case .invalidHost, .noCertificates, .invalidConfiguration, .notInitialized: self = .errorInvalidParameters
        case .unreadableLeaf: self = .errorCouldNotGenerateSPKIHash
        case .pinMatched: self = .success
        case .pinsBypassed: self = .failedUserDefinedTrustAnchor
        case .pinMismatch, .deniedKey, .noUsablePins: self = .failedNoMatchingPin
        default:
            guard verdict.decision == .block else { return nil }
            self = .failedInvalidCertificateChain
        }
    }

    /// Whether TrustKit reports it.
    public var isReported: Bool { self != .success && self != .failedUserDefinedTrustAnchor }
}
