public import HoldfastTrust

extension ChatConnectionDiagnosis {
    /// A certificate that could not be taken from the bundle.
    public init(_ error: ChatSSLCertificateError) {
        switch error.code {
        case .missingResource:
            self.init(.certificateMissing, evidence: [.fact(error.reason)])
        default:
            self.init(.certificateUnreadable, evidence: [.fact(error.reason)])
        }
    }

    /// A certificate that could not be read; `nil` for a usable one.
    public init?(_ certificate: ChatSSLCertificate) {
        guard let error = certificate.loadError else { return nil }
        self.init(
            error.code == .unreadableFile ? .certificateMissing : .certificateUnreadable,
            evidence: [.fact("\(certificate.source): \(error.reason)")])
    }

    /// Differences of `NSAppTransportSecurity` between the Info.plists of two builds, as
    /// `PolicyLint.compareTransportSecurity` of HoldfastFormats or `holdfast lint` finds them; `nil` if there are none.
    /// There is nothing to be seen of it at run time: the SDK dials by itself, and App Transport Security stops other
    /// clients of the same app.
    public init?(transportSecurityDifferences: [PolicyDiagnostic]) {
        guard !transportSecurityDifferences.isEmpty else { return nil }
        self.init(.transportSecurityDiffers, evidence: transportSecurityDifferences.map { .fact("\($0)") })
    }

    /// A server that was refused.
    ///
    /// - Parameters:
    ///   - trusted: The keys that the app trusts in place of the system's verification.
    ///   - accepted: The keys that this server showed when it was accepted last.
    init(_ verdict: TrustVerdict, trusted: [SPKIDigest], accepted: [SPKIDigest]?) {
        let host = verdict.subject?.host.text
        var evidence: [Evidence] = [.finding(verdict.finding.code)]
        evidence += verdict.presentedHashes.map { .serverKey($0) }
        switch verdict.finding.code {
        case .pinMismatch:
            evidence += trusted.map { .trustedKey($0) } + (accepted ?? []).map { .acceptedKey($0) }
            self.init(Self.mismatch(verdict.presentedHashes, trusted, accepted), host: host, evidence: evidence)
        case .noUsablePins: self.init(.noUsableCertificates, host: host, evidence: evidence)
        case .hostMismatch: self.init(.hostDiffers, host: host, evidence: evidence)
        case .expired, .notYetValid:
            self.init(
                .certificateOutOfDate, host: host, evidence: evidence + [.fact(verdict.finding.reason)])
        case .unknownIssuer: self.init(.issuerUnknown, host: host, evidence: evidence)
        case .noCertificates, .handshakeRefused: self.init(.handshakeFailed, host: host, evidence: evidence)
        default:
            self.init(.certificateRefused, host: host, evidence: evidence + [.fact(verdict.finding.reason)])
        }
    }

    /// RULINGS C8: "it worked, then stopped" is told from "it never worked" by what was accepted last.
    /// The server is called the one of before only where it shows the key of before as its own: an attacker in
    /// between can add certificates of others to its chain.
    private static func mismatch(
        _ presented: [SPKIDigest], _ trusted: [SPKIDigest], _ accepted: [SPKIDigest]?
    ) -> Cause {
        guard let accepted else { return .keysDiffer }
        if !Set(accepted).isDisjoint(with: trusted) { return .keysRotated }
        guard let own = presented.first, own == accepted.first else { return .keysDiffer }
        return .trustedKeysChanged
    }
}
