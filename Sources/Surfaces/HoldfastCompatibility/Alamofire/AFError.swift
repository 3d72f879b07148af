public import HoldfastTrust

/// Alamofire's error type, limited to server trust.
///
/// - Remedy: Read the underlying `TrustFinding`: each finding has its remedy.
public enum AFError: Error, Sendable, CustomStringConvertible {
    /// A server was refused.
    case serverTrustEvaluationFailed(reason: ServerTrustFailureReason)

    /// A human-readable description of the reason.
    public var description: String {
        switch self {
        case .serverTrustEvaluationFailed(let reason): reason.description
        }
    }

    /// The reason why a server was refused: Alamofire's thirteen reasons, with Holdfast's types in place of those of
    /// Apple's Security framework.
    public enum ServerTrustFailureReason: Sendable, CustomStringConvertible {
        /// The result of a failed verification.
        public struct Output: Hashable, Sendable {
            /// The requested host.
            public let host: String
            /// The chain that the server presented.
            public let trust: ServerTrust
            /// The finding with its facts. Replaces Alamofire's `status` and `result`.
            public let finding: TrustFinding
        }

        /// The manager requires an evaluator for every host and has none for this host.
        case noRequiredEvaluator(host: String)
        /// No certificates are pinned.
        case noCertificatesFound
        /// No public keys are pinned.
        case noPublicKeysFound
        /// The host has no canonical form, so no certificate can be valid for it. `policy` is the host as given, and
        /// `status` is Apple's number for an invalid parameter.
        case policyApplicationFailed(trust: ServerTrust, policy: String, status: Int32)
        /// Never thrown by Holdfast, because setting anchors cannot fail.
        case settingAnchorCertificatesFailed(status: Int32, certificates: [CertificateView])
        /// Never thrown by Holdfast; see ``RevocationOptionsError``.
        case revocationPolicyCreationFailed
        /// The evaluation itself failed.
        case trustEvaluationFailed(error: (any Error)?)
        /// The chain is not valid.
        case defaultEvaluationFailed(output: Output)
        /// The chain is valid, but not for this host.
        case hostValidationFailed(output: Output)
        /// A certificate is revoked, or its revocation status is unknown.
        case revocationCheckFailed(output: Output, options: RevocationTrustEvaluator.Options)
        /// No pinned certificate is on the verified path. `serverCertificates` are those that the server presented.
        case certificatePinningFailed(
            host: String, trust: ServerTrust, pinnedCertificates: [CertificateView],
            serverCertificates: [CertificateView])
        /// No pinned key is on the verified path. `serverKeys` are those that the server presented.
        case publicKeyPinningFailed(
            host: String, trust: ServerTrust, pinnedKeys: [PublicKeyInfo], serverKeys: [PublicKeyInfo])
        /// An evaluator of the app threw this error.
        case customEvaluationFailed(error: any Error)

        /// A human-readable description of the reason.
        public var description: String {
            switch self {
            case .noRequiredEvaluator(let host): "No evaluator is configured for \(host), but every host requires one."
            case .noCertificatesFound: "No certificates are pinned, so every server is refused."
            case .noPublicKeysFound: "No public keys are pinned, so every server is refused."
            case .policyApplicationFailed(_, let policy, let status):
                "\(policy) is not a valid host (status \(status))."
            case .settingAnchorCertificatesFailed(let status, _): "The anchors could not be set (status \(status))."
            case .revocationPolicyCreationFailed: "The revocation check could not be set up."
            case .trustEvaluationFailed(let error): error.map { "\($0)" } ?? "The evaluation failed."
            case .defaultEvaluationFailed(let output), .hostValidationFailed(let output),
                .revocationCheckFailed(let output, _):
                "\(output.host): \(output.finding)"
            case .certificatePinningFailed(let host, _, let pinned, _):
                "The verified path of \(host) contains no pinned certificate (\(pinned.count) are pinned)."
            case .publicKeyPinningFailed(let host, _, let pinned, _):
                "The verified path of \(host) contains no pinned key (\(pinned.count) are pinned)."
            case .customEvaluationFailed(let error): "\(error)"
            }
        }
    }
}
