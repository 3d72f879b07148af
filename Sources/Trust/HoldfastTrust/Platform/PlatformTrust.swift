#if canImport(Security)
@_exported public import Security  // reason: on other platforms, SecTrust is part of this module

import HoldfastBase

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

// All uses of Apple's Security framework: building paths to the system's roots, and converting chains from and to
// `SecTrust`. Pins, policies and decisions use the same code on all platforms.

/// An evaluator for Apple's `SecTrust`.
public protocol SecTrustEvaluator: ServerTrustEvaluator {
    /// Returns if the server is accepted and throws otherwise. Called from any thread.
    func evaluate(_ trust: SecTrust, forHost host: String) throws
}

extension ServerTrustEvaluator {
    /// Evaluates a new `SecTrust` with the same certificates, for evaluators that implement only the `SecTrust` method.
    public func evaluate(_ trust: ServerTrust, forHost host: String) async throws {
        try evaluate(trust.platformTrust(forHost: host), forHost: host)
    }

    /// Evaluates the certificates of a `SecTrust`, for evaluators that implement only the ``ServerTrust`` method.
    ///
    /// Holdfast's own evaluators ignore the policies, anchors and date of the `SecTrust`. A custom evaluator may have
    /// to wait, which is not possible here, and therefore refuses the server. So does an evaluator that implements
    /// neither method.
    public func evaluate(_ trust: SecTrust, forHost host: String) throws {
        guard let own = self as? any VerdictEvaluator else {
            throw TrustFinding(
                .evaluatorRefused, "This evaluator requires a ServerTrust and cannot evaluate a SecTrust.")
        }
        try own.evaluate(ServerTrust(trust), forHost: host)
    }
}

extension ServerTrust {
    /// Creates a trust object from the certificates of a `SecTrust`. Ignores all its other contents.
    public init(_ trust: SecTrust) {
        let chain = SecTrustCopyCertificateChain(trust) as? [SecCertificate] ?? []
        self.init(derCertificates: chain.map { SecCertificateCopyData($0) as Data })
    }

    /// Returns a new `SecTrust` with the certificates and the TLS server policy for this host. Certificates that the
    /// framework cannot read are omitted.
    ///
    /// - Throws: An error if the host does not have a canonical form, or if no certificate can be read.
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
    /// Applies the path requirement of the mode to the outcome. The platform returns a single path, so there are no
    /// alternatives.
    func judged(by requirement: PathRequirement) -> Verification.Outcome {
        guard let path, requirement.judge(path) != .met else { return self }
        var outcome = self
        outcome.refusal = requirement.explain(path)
        return outcome
    }
}

/// Builds and verifies the path to the system's roots with Apple's framework.
enum PlatformVerification {
    /// Verifies a chain for a host at a time, with anchors in addition to the system's. Certificates, OCSP responses
    /// and revocation lists are not fetched, because a decision does not perform I/O.
    static func run(
        _ chain: PresentedChain, _ options: VerificationOptions, at time: Timestamp, and lists: [AnchorIndex]
    ) -> Verification.Outcome {
        let trust: SecTrust
        do throws(TrustFinding) {
            trust = try self.trust(chain, host: options.host)
        } catch {
            return Verification.Outcome(finding: error)
        }
        SecTrustSetNetworkFetchAllowed(trust, false)
        SecTrustSetVerifyDate(trust, Date(timeIntervalSince1970: Double(time.secondsSince1970)) as CFDate)
        let anchors = lists.flatMap(\.certificates)
        if !anchors.isEmpty {
            let extra = anchors.compactMap { SecCertificateCreateWithData(nil, Data($0.der) as CFData) }
            SecTrustSetAnchorCertificates(trust, extra as CFArray)
            SecTrustSetAnchorCertificatesOnly(trust, false)
        }
        var error: CFError?
        guard SecTrustEvaluateWithError(trust, &error) else { return Verification.Outcome(finding: finding(error)) }
        let path = ServerTrust(trust).presented
        guard path.unreadable.isEmpty, path.leaf == chain.leaf, !path.certificates.isEmpty else {
            let reason = "The platform's path cannot be read, or does not start with the server's certificate."
            return Verification.Outcome(finding: TrustFinding(.malformedCertificate, reason))
        }
        do throws(TrustFinding) {
            var cost = VerificationCost()
            if let problem = try localProblem(on: path.certificates, options, lists, cost: &cost) {
                return Verification.Outcome(finding: problem)
            }
            var strict = options
            strict.checksDates = true
            var check = RevocationCheck(strict, presented: chain.certificates, at: time)
            let revoked = try check.problem(on: path.certificates, cost: &cost, budget: options.budget)
            if let revoked { return Verification.Outcome(finding: revoked) }
        } catch {
            return Verification.Outcome(finding: error)
        }
        return Verification.Outcome(
            finding: TrustFinding(.validPath, "The platform verified a path to a trust anchor."),
            path: VerifiedPath(verified: path.certificates))
    }

    /// Returns a problem if the platform's path violates the constraints of a list of anchors, or the inputs for
    /// certificate policies.
    private static func localProblem(
        on path: [CertificateView], _ options: VerificationOptions, _ lists: [AnchorIndex],
        cost: inout VerificationCost
    ) throws(TrustFinding) -> TrustFinding? {
        let numbers = Array(path.indices)
        var anchors = AnchorCheck()
        for (number, certificate) in path.enumerated() {
            anchors.note(number, lists.flatMap { $0.constraints(of: certificate) })
        }
        var names = NameConstraintCheck()
        let distrust = try anchors.violation(
            on: numbers, of: path, &names, cost: &cost, budget: options.budget)
        if let distrust { return AnchorCheck.finding(distrust, on: numbers, of: path) }
        var policies = PolicyCheck()
        let unmet = try policies.violation(
            on: numbers, of: path, options.certificatePolicies, cost: &cost, budget: options.budget)
        return unmet.map { PolicyCheck.finding($0, on: numbers, of: path) }
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
