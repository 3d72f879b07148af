#if canImport(Security)
@_exported public import Security  // reason: elsewhere SecTrust comes with this module, too

import HoldfastBase

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

// All that Holdfast asks of Apple's Security framework: paths to the machine's roots, and chains in and out of a `SecTrust`.
// Pins, policies and decisions are the same code as everywhere.

/// An evaluator that is written for Apple's `SecTrust`.
public protocol SecTrustEvaluator: ServerTrustEvaluator {
    /// Returns if the server may be talked to, throws if not. Called from any thread.
    func evaluate(_ trust: SecTrust, forHost host: String) throws
}

extension ServerTrustEvaluator {
    /// For evaluators that are written for `SecTrust`: asks them about a fresh one of the same certificates.
    public func evaluate(_ trust: ServerTrust, forHost host: String) async throws {
        try evaluate(trust.platformTrust(forHost: host), forHost: host)
    }

    /// For evaluators that are written for ``ServerTrust``. Holdfast's own judge the certificates of the `SecTrust`; its
    /// policies, anchors and date take no part. One of an app's own may have to wait, which cannot be done here, and refuses;
    /// so does one that implements neither of the two methods.
    public func evaluate(_ trust: SecTrust, forHost host: String) throws {
        guard let own = self as? any VerdictEvaluator else {
            throw TrustFinding(
                .evaluatorRefused, "This evaluator is written for ServerTrust, and cannot be asked about a SecTrust.")
        }
        try own.evaluate(ServerTrust(trust), forHost: host)
    }
}

extension ServerTrust {
    /// The certificates of a `SecTrust`, and nothing else of it.
    public init(_ trust: SecTrust) {
        let chain = SecTrustCopyCertificateChain(trust) as? [SecCertificate] ?? []
        self.init(derCertificates: chain.map { SecCertificateCopyData($0) as Data })
    }

    /// A fresh `SecTrust` of the certificates, with the policy for TLS servers of this host. Certificates that the framework
    /// cannot read are left out. Throws for a host without a canonical form, and if not one certificate can be read.
    package func platformTrust(forHost host: String) throws(TrustFinding) -> SecTrust {
        let canonical: CanonicalHost
        do throws(HostError) {
            canonical = try CanonicalHost(host)
        } catch {
            throw TrustFinding(.invalidHost, error.reason)
        }
        return try PlatformVerification.trust(presented, host: canonical)
    }
}

extension Verification.Outcome {
    /// The outcome with what the mode asks of the path: the platform offers one path, and there is no other to look for.
    func judged(by requirement: PathRequirement) -> Verification.Outcome {
        guard let path, requirement.judge(path) != .met else { return self }
        var outcome = self
        outcome.refusal = requirement.explain(path)
        return outcome
    }
}

/// Has Apple's framework build and verify the path to the machine's roots.
enum PlatformVerification {
    /// The outcome of a verification for a host, at a time, with more anchors beside the machine's. Certificates, answers and
    /// lists are not fetched: a decision does no I/O.
    static func run(
        _ chain: PresentedChain, _ options: VerificationOptions, at time: Timestamp, and anchors: [CertificateView]
    ) -> Verification.Outcome {
        let trust: SecTrust
        do throws(TrustFinding) {
            trust = try self.trust(chain, host: options.host)
        } catch {
            return Verification.Outcome(finding: error)
        }
        SecTrustSetNetworkFetchAllowed(trust, false)
        SecTrustSetVerifyDate(trust, Date(timeIntervalSince1970: Double(time.secondsSince1970)) as CFDate)
        if !anchors.isEmpty {
            let extra = anchors.compactMap { SecCertificateCreateWithData(nil, Data($0.der) as CFData) }
            SecTrustSetAnchorCertificates(trust, extra as CFArray)
            SecTrustSetAnchorCertificatesOnly(trust, false)
        }
        var error: CFError?
        guard SecTrustEvaluateWithError(trust, &error) else { return Verification.Outcome(finding: finding(error)) }
        let path = ServerTrust(trust).presented
        guard path.unreadable.isEmpty, path.leaf == chain.leaf, !path.certificates.isEmpty else {
            let reason = "The platform's path cannot be read, or is not the server's."
            return Verification.Outcome(finding: TrustFinding(.malformedCertificate, reason))
        }
        do throws(TrustFinding) {
            var cost = VerificationCost()
            let revoked = try RevocationCheck.problem(
                on: path.certificates, options.revocationLists, at: time, checksDates: true, cost: &cost,
                budget: options.budget)
            if let revoked { return Verification.Outcome(finding: revoked) }
        } catch {
            return Verification.Outcome(finding: error)
        }
        return Verification.Outcome(
            finding: TrustFinding(.validPath, "The platform verified a path to a trust anchor."),
            path: VerifiedPath(verified: path.certificates))
    }

    static func trust(_ chain: PresentedChain, host: CanonicalHost?) throws(TrustFinding) -> SecTrust {
        let certificates = chain.der.compactMap { SecCertificateCreateWithData(nil, Data($0) as CFData) }
        let policy = SecPolicyCreateSSL(true, host.map { $0.text as CFString })
        var trust: SecTrust?
        let status = SecTrustCreateWithCertificates(certificates as CFArray, policy, &trust)
        guard let trust, status == errSecSuccess else {
            throw TrustFinding(.unreadableLeaf, "The platform cannot read the server's certificates (\(status)).")
        }
        return trust
    }

    private static func finding(_ error: CFError?) -> TrustFinding {
        guard let error else { return TrustFinding(.unknownIssuer, "The platform refuses the chain.") }
        let code: TrustFinding.Code =
            switch OSStatus(truncatingIfNeeded: CFErrorGetCode(error)) {
            case errSecCertificateExpired: .expired
            case errSecCertificateNotValidYet: .notYetValid
            case errSecHostNameMismatch: .hostMismatch
            case errSecCertificateRevoked: .revoked
            case errSecInvalidExtendedKeyUsage: .extendedKeyUsage
            case errSecNotTrusted, errSecCreateChainFailed: .unknownIssuer
            default: .platformRefused
            }
        let text = CFErrorCopyDescription(error) as String
        return TrustFinding(code, "The platform refuses the chain: \(Printable.text(text))")
    }
}
#endif
