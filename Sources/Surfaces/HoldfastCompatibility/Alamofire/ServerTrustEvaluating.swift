public import Foundation
public import HoldfastTrust

/// Alamofire's evaluator protocol: returning accepts the server, throwing refuses it.
///
/// On platforms other than Apple's, Alamofire's own protocol is empty and never called. This one is the same on every
/// platform. To verify connections with it, use
/// ``HoldfastTrust/TrustContext/serverTrustManager(_:anchors:certificatePolicies:dangerouslyReplacingSystemTrust:)``.
public protocol ServerTrustEvaluating: Sendable {
    /// Returns to accept the server, throws to refuse it. Called from any thread.
    func evaluate(_ trust: SecTrust, forHost host: String) throws
}

extension ServerTrustEvaluating where Self == PinnedCertificatesTrustEvaluator {
    /// An evaluator with the system verification and the certificates in the app's bundle.
    public static var pinnedCertificates: PinnedCertificatesTrustEvaluator { PinnedCertificatesTrustEvaluator() }

    /// See ``PinnedCertificatesTrustEvaluator``.
    public static func pinnedCertificates(
        certificates: [CertificateView] = Bundle.main.af.certificates, acceptSelfSignedCertificates: Bool = false,
        performDefaultValidation: Bool = true, validateHost: Bool = true
    ) -> PinnedCertificatesTrustEvaluator {
        PinnedCertificatesTrustEvaluator(
            certificates: certificates, acceptSelfSignedCertificates: acceptSelfSignedCertificates,
            performDefaultValidation: performDefaultValidation, validateHost: validateHost)
    }
}

extension ServerTrustEvaluating where Self == PublicKeysTrustEvaluator {
    /// An evaluator with the system verification and the keys of the certificates in the app's bundle.
    public static var publicKeys: PublicKeysTrustEvaluator { PublicKeysTrustEvaluator() }

    /// See ``PublicKeysTrustEvaluator``.
    public static func publicKeys(
        keys: [PublicKeyInfo] = Bundle.main.af.publicKeys, performDefaultValidation: Bool = true,
        validateHost: Bool = true
    ) -> PublicKeysTrustEvaluator {
        PublicKeysTrustEvaluator(
            keys: keys, performDefaultValidation: performDefaultValidation, validateHost: validateHost)
    }
}

extension ServerTrustEvaluating where Self == CompositeTrustEvaluator {
    /// See ``CompositeTrustEvaluator``.
    public static func composite(evaluators: [any ServerTrustEvaluating]) -> CompositeTrustEvaluator {
        CompositeTrustEvaluator(evaluators: evaluators)
    }
}

extension ServerTrustEvaluating where Self == RevocationTrustEvaluator {
    /// Alamofire's default options (any method) without requesters, which Holdfast requires. Always throws an error
    /// that names the methods without a requester.
    public static var revocationChecking: RevocationTrustEvaluator {
        get throws(RevocationOptionsError) { try RevocationTrustEvaluator() }
    }

    /// See ``RevocationTrustEvaluator``.
    public static func revocationChecking(
        performDefaultValidation: Bool = true, validateHost: Bool = true,
        options: RevocationTrustEvaluator.Options = .any, requester: (any OCSPRequester)? = nil,
        lists: (any RevocationListRequester)? = nil
    ) throws(RevocationOptionsError) -> RevocationTrustEvaluator {
        try RevocationTrustEvaluator(
            performDefaultValidation: performDefaultValidation, validateHost: validateHost, options: options,
            requester: requester, lists: lists)
    }
}

/// Combines evaluators. All of them must accept the server; they run in order, and the first error is thrown.
///
/// Without any evaluator, it refuses every server. Alamofire's version accepts every server in that case.
public struct CompositeTrustEvaluator: ServerTrustEvaluating {
    let evaluators: [any ServerTrustEvaluating]

    /// Combines evaluators.
    public init(evaluators: [any ServerTrustEvaluating]) {
        self.evaluators = evaluators
    }

    /// Evaluates a server. Throws the error of the first evaluator that refuses it.
    public func evaluate(_ trust: SecTrust, forHost host: String) throws {
        guard !evaluators.isEmpty else {
            let empty = TrustFinding(
                .invalidConfiguration, "The composite has no evaluators, so no server is trusted.")
            throw AFError.serverTrustEvaluationFailed(reason: .trustEvaluationFailed(error: empty))
        }
        for evaluator in evaluators { try evaluator.evaluate(trust, forHost: host) }
    }
}
