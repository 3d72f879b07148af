public import Foundation
public import HoldfastTrust

/// The result of evaluating a pinned host, as passed to the validation callback.
public struct TSKPinningValidatorResult: Hashable, Sendable {
    /// The requested host in canonical form.
    public let serverHostname: String
    /// The finding of the evaluation.
    public let evaluationResult: TSKTrustEvaluationResult
    /// The decision.
    public let finalTrustDecision: TSKTrustDecision
    /// The duration of the evaluation in seconds.
    public let validationDuration: TimeInterval
    /// The verified path as PEM, beginning with the server's certificate. Without a path, the chain that the server
    /// presented.
    public let certificateChain: [String]
    /// Holdfast's own verdict with all facts.
    public let verdict: TrustVerdict

    /// Makes a result; `nil` if no pin applied, because TrustKit has no result for that.
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

/// The decision of ``TSKPinningValidator/evaluateTrust(_:forHostname:)``. The numbers are TrustKit's.
public enum TSKTrustDecision: Int, Hashable, Sendable, CaseIterable {
    /// The chain is valid for the host and a pin matched, or pin failures are only reported.
    case shouldAllowConnection = 0
    /// The connection must be refused.
    case shouldBlockConnection = 1
    /// No pin applies to the host: it is not listed, it is excluded, or its pins have expired.
    ///
    /// - Warning: **Nothing was validated.** As in TrustKit, this is not a permission. Code that continues without its
    ///   own verification has disabled certificate validation. To validate:
    ///
    /// ```swift
    /// try SystemTrustEvaluator().evaluate(ServerTrust(serverTrust), forHost: serverHostname)
    /// ```
    case domainNotPinned = 2

    /// Converts Holdfast's decision.
    init(_ decision: TrustDecision) {
        self =
            switch decision {
            case .allow: .shouldAllowConnection
            case .block: .shouldBlockConnection
            case .notPinned: .domainNotPinned
            }
    }
}

/// The finding of the evaluation of a pinned host. The numbers are TrustKit's and appear in reports.
public enum TSKTrustEvaluationResult: Int, Hashable, Sendable, CaseIterable {
    /// The chain is valid and a pin matched.
    case success = 0
    /// The chain is valid, but no pin matched.
    case failedNoMatchingPin = 1
    /// The chain is not valid for the host.
    case failedInvalidCertificateChain = 2
    /// The host, the chain or the configuration cannot be used.
    case errorInvalidParameters = 3
    /// The path ends in a local anchor for which pins do not apply.
    case failedUserDefinedTrustAnchor = 4
    /// The server's own certificate cannot be read. Unreadable certificates above it are ignored.
    case errorCouldNotGenerateSpkiHash = 5

    /// Converts Holdfast's result.
    public init(_ result: TrustKitResult) {
        // Both have TrustKit's numbers.
        self = TSKTrustEvaluationResult(rawValue: result.rawValue) ?? .errorInvalidParameters
    }
}
