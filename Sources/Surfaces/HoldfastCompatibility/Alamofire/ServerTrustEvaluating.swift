public import Foundation
public import HoldfastTrust

/// Alamofire's evaluator: returning accepts the server, throwing refuses it.
///
/// Off Apple platforms Alamofire's protocol is empty and is never asked. This one is the same on every platform; to have
/// connections judged by it, see ``HoldfastTrust/TrustContext/serverTrustManager(_:anchors:dangerouslyReplacingSystemTrust:)``.
public protocol ServerTrustEvaluating: Sendable {
    /// Returns if the server may be talked to, throws if not. Called from any thread.
    func evaluate(_ trust: SecTrust, forHost host: String) throws
}

extension ServerTrustEvaluating where Self == PinnedCertificatesTrustEvaluator {
    /// The certificates in the app's bundle, with the system verification.
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
    /// The keys of the certificates in the app's bundle, with the system verification.
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
    /// Alamofire's defaults (any method, no requester), which cannot be honoured: always throws, and says what can.
    public static var revocationChecking: RevocationTrustEvaluator {
        get throws(RevocationOptionsError) { try RevocationTrustEvaluator() }
    }

    /// See ``RevocationTrustEvaluator``.
    public static func revocationChecking(
        performDefaultValidation: Bool = true, validateHost: Bool = true,
        options: RevocationTrustEvaluator.Options = .any, requester: (any OCSPRequester)? = nil
    ) throws(RevocationOptionsError) -> RevocationTrustEvaluator {
        try RevocationTrustEvaluator(
            performDefaultValidation: performDefaultValidation, validateHost: validateHost, options: options,
            requester: requester)
    }
}
