public import HoldfastTrust

extension ChatConnectionDiagnosis {
    /// Diagnoses a certificate that could not be loaded from the bundle.
    public init(_ error: ChatSSLCertificateError) {
        switch error.code {
        case .missingResource:
            self.init(.certificateMissing, evidence: [.fact(error.reason)])
        default:
            self.init(.certificateUnreadable, evidence: [.fact(error.reason)])
        }
    }

    /// Diagnoses a certificate that could not be read; `nil` for a usable one.
    public init?(_ certificate: ChatSSLCertificate) {
        guard let error = certificate.loadError else { return nil }
        self.init(
            error.code == .unreadableFile ? .certificateMissing : .certificateUnreadable,
            evidence: [.fact("\(certificate.source): \(error.reason)")])
    }

    /// Diagnoses differences of `NSAppTransportSecurity` between the Info.plists of two builds; `nil` if there are
    /// none.
    ///
    /// `PolicyLint.compareTransportSecurity` of HoldfastFormats and `holdfast lint` find these differences. They are
    /// not visible at run time: the SDK opens its own connections, and App Transport Security blocks other clients of
    /// the app.
    public init?(transportSecurityDifferences: [PolicyDiagnostic]) {
        guard !transportSecurityDifferences.isEmpty else { return nil }
        self.init(.transportSecurityDiffers, evidence: transportSecurityDifferences.map { .fact("\($0)") })
    }

    /// Diagnoses a refused server.
    ///
    /// - Parameters:
    ///   - trusted: The keys that the app trusts in place of the system's verification.
    ///   - accepted: The keys that this server presented when it was last accepted.
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

    /// Distinguishes "it worked, then stopped" from "it never worked" by the keys that were accepted last.
    ///
    /// The server counts as unchanged only if it presents the earlier key as its own: an attacker can add other
    /// servers' certificates to its chain.
    private static func mismatch(
        _ presented: [SPKIDigest], _ trusted: [SPKIDigest], _ accepted: [SPKIDigest]?
    ) -> Cause {
        guard let accepted else { return .keysDiffer }
        if !Set(accepted).isDisjoint(with: trusted) { return .keysRotated }
        guard let own = presented.first, own == accepted.first else { return .keysDiffer }
        return .trustedKeysChanged
    }
}
