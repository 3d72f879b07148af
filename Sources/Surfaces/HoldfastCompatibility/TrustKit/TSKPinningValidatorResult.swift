public import Foundation
public import HoldfastTrust

/// What an evaluation of a pinned host came to, as the validation callback gets it.
public struct TSKPinningValidatorResult: Hashable, Sendable {
    /// The host that was asked for, in canonical form.
    public let serverHostname: String
    /// What was found.
    public let evaluationResult: TSKTrustEvaluationResult
    /// What was decided.
    public let finalTrustDecision: TSKTrustDecision
    /// How long it took, in seconds.
    public let validationDuration: TimeInterval
    /// The verified path as PEM, the server's certificate first; what the server presented where there is no path.
    public let certificateChain: [String]
    /// Holdfast's own verdict, with everything else that was seen.
    public let verdict: TrustVerdict

    /// `nil` where no pin applied: TrustKit then has no result.
    init?(_ verdict: TrustVerdict) {
        guard verdict.pinning != nil, let result = TrustKitResult(verdict) else { return nil }
        let duration = verdict.duration.components
        serverHostname = verdict.subject?.host.text ?? ""
        evaluationResult = TSKTrustEvaluationResult(result)
        finalTrustDecision = TSKTrustDecision(verdict.decision)
        validationDuration = Double(duration.seconds) + Double(duration.attoseconds) / 1e18
        certificateChain = (verdict.path?.certificates ?? verdict.presented?.certificates ?? []).map(\.pem)
        self.verdict = verdict
    }
}

/// What ``TSKPinningValidator/evaluateTrust(_:forHostname:)`` decided. The numbers are TrustKit's.
public enum TSKTrustDecision: Int, Hashable, Sendable, CaseIterable {
    /// The chain is valid for the host and a pin matched, or pins are only reported.
    case shouldAllowConnection = 0
    /// The connection must be refused.
    case shouldBlockConnection = 1
    /// No pin applies to the host: it is not listed, it is excluded, or its pins have expired.
    ///
    /// - Warning: **Nothing was validated.** As in TrustKit this is no permission. Whoever goes on without a verification of
    ///   his own has switched certificate validation off. The line that validates:
    ///
    /// ```swift
    /// try SystemTrustEvaluator().evaluate(ServerTrust(serverTrust), forHost: serverHostname)
    /// ```
    case domainNotPinned = 2
}

extension TSKTrustDecision {
    /// TrustKit's name for Holdfast's decision.
    init(_ decision: TrustDecision) {
        self =
            switch decision {
            case .allow: .shouldAllowConnection
            case .block: .shouldBlockConnection
            case .notPinned: .domainNotPinned
            }
    }
}

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

extension PinningFacts {
    /// The settings of a domain with TrustKit's keys.
    var trustKitSettings: [String: Any] {
        var settings: [String: Any] = [
            kTSKPublicKeyHashes: pins.sorted.map(\.base64),
            kTSKEnforcePinning: enforcement == .enforce,
            kTSKIncludeSubdomains: includesSubdomains,
            kTSKReportUris: reportURIs,
        ]
        if let expires {
            settings[kTSKExpirationDate] = Date(timeIntervalSince1970: Double(expires.secondsSince1970))
        }
        return settings
    }
}
