public import HoldfastTrust

/// Alamofire's error, as far as it is about servers' trust.
public enum AFError: Error, Sendable, CustomStringConvertible {
    /// A server was refused.
    case serverTrustEvaluationFailed(reason: ServerTrustFailureReason)

    public var description: String {
        switch self {
        case .serverTrustEvaluationFailed(let reason): reason.description
        }
    }
}

extension AFError {
    /// Why a server was refused: Alamofire's thirteen reasons. Where Alamofire has types of Apple's Security framework, these
    /// have Holdfast's.
    public enum ServerTrustFailureReason: Sendable, CustomStringConvertible {
        /// What a verification found.
        public struct Output: Hashable, Sendable {
            /// The host that was asked for.
            public let host: String
            /// What the server presented.
            public let trust: ServerTrust
            /// What is wrong, with the facts. In the place of Alamofire's `status` and `result`.
            public let finding: TrustFinding
        }

        /// The manager wants an evaluator for every host, and has none for this one.
        case noRequiredEvaluator(host: String)
        /// There is no certificate to compare with.
        case noCertificatesFound
        /// There is no public key to compare with.
        case noPublicKeysFound
        /// The host has no canonical form, so there is nothing that a certificate could be valid for. `policy` is the host
        /// as it was given, `status` Apple's number for an invalid parameter.
        case policyApplicationFailed(trust: ServerTrust, policy: String, status: Int32)
        /// Not thrown by Holdfast: setting anchors cannot fail.
        case settingAnchorCertificatesFailed(status: Int32, certificates: [CertificateView])
        /// Not thrown by Holdfast: see ``RevocationOptionsError``.
        case revocationPolicyCreationFailed
        /// The evaluation itself failed.
        case trustEvaluationFailed(error: (any Error)?)
        /// The chain is not valid.
        case defaultEvaluationFailed(output: Output)
        /// The chain is valid, but not for this host.
        case hostValidationFailed(output: Output)
        /// A certificate was revoked, or whether it was cannot be told.
        case revocationCheckFailed(output: Output, options: RevocationTrustEvaluator.Options)
        /// No pinned certificate is on the verified path. `serverCertificates` is what the server presented.
        case certificatePinningFailed(
            host: String, trust: ServerTrust, pinnedCertificates: [CertificateView],
            serverCertificates: [CertificateView])
        /// No pinned key is on the verified path. `serverKeys` is what the server presented.
        case publicKeyPinningFailed(
            host: String, trust: ServerTrust, pinnedKeys: [PublicKeyInfo], serverKeys: [PublicKeyInfo])
        /// An evaluator of the app's own threw this.
        case customEvaluationFailed(error: any Error)

        public var description: String {
            switch self {
            case .noRequiredEvaluator(let host): "There is no evaluator for \(host), and one is required."
            case .noCertificatesFound: "There is no certificate to compare with."
            case .noPublicKeysFound: "There is no public key to compare with."
            case .policyApplicationFailed(_, let policy, let status): "\(policy) is no host (\(status))."
            case .settingAnchorCertificatesFailed(let status, _): "The anchors could not be set (\(status))."
            case .revocationPolicyCreationFailed: "The revocation check could not be set up."
            case .trustEvaluationFailed(let error): error.map { "\($0)" } ?? "The evaluation failed."
            case .defaultEvaluationFailed(let output), .hostValidationFailed(let output),
                .revocationCheckFailed(let output, _):
                "\(output.host): \(output.finding)"
            case .certificatePinningFailed(let host, _, let pinned, _):
                "None of the \(pinned.count) pinned certificates is on the verified path of \(host)."
            case .publicKeyPinningFailed(let host, _, let pinned, _):
                "None of the \(pinned.count) pinned keys is on the verified path of \(host)."
            case .customEvaluationFailed(let error): "\(error)"
            }
        }
    }
}
