/// The checks on single certificates of a path. Each list is ranked: the first entry is the one worth telling.
enum CertificateCheck {
    /// What is wrong with the server's own certificate, whatever the path above it.
    static func leafProblems(
        of leaf: CertificateView, at time: Timestamp, _ options: VerificationOptions
    ) -> [TrustFinding] {
        let parsed = leaf.parsed
        var problems = commonProblems(of: leaf, at: time, options)
        // RFC 5280, 4.2.1.10: name constraints must be used only in a CA certificate.
        if parsed.nameConstraints != nil, !leaf.isCertificateAuthority {
            problems.append(
                finding(.malformedCertificate, "\(leaf.subject) has name constraints but is no authority", leaf))
        }
        // RFC 8446, 4.4.2.2: where key usage is present, digitalSignature must be set; all our suites sign.
        if let usage = parsed.keyUsage, !usage.digitalSignature, !leaf.isCertificateAuthority {
            problems.append(finding(.keyUsage, "The key of \(leaf.subject) may not be used to sign a handshake", leaf))
        }
        if let host = options.host, !HostCheck.matches(leaf, host) {
            var facts = TrustFacts()
            facts.host = host.text
            facts.presentedNames = leaf.names
            facts.subject = leaf.subject
            let names = leaf.names.isEmpty ? "no host at all" : leaf.names.prefix(8).joined(separator: ", ")
            problems.append(
                TrustFinding(.hostMismatch, "The certificate is not for \(host) but for \(names).", facts: facts))
        }
        return ranked(problems)
    }

    /// What is wrong with a certificate authority, whatever its place on the path.
    static func issuerProblems(
        of issuer: CertificateView, at time: Timestamp, _ options: VerificationOptions
    ) -> [TrustFinding] {
        var problems = commonProblems(of: issuer, at: time, options)
        // RFC 5280, 6.1.4 (k): version 3 with the CA bit, for anchors too; a version 1 certificate issues nothing.
        if !issuer.isCertificateAuthority {
            problems.append(
                finding(.notACertificateAuthority, "\(issuer.subject) is no certificate authority", issuer))
        }
        if let usage = issuer.parsed.keyUsage, !usage.keyCertSign {
            problems.append(finding(.keyUsage, "\(issuer.subject) may not sign certificates", issuer))
        }
        if DistinguishedName.isEmpty(issuer.parsed.subject) {
            problems.append(finding(.malformedCertificate, "An authority on the path has no name", issuer))
        }
        return ranked(problems)
    }

    /// Whether the authority's own path length constraint, or the caller's limit, forbids what lies below it.
    static func lengthProblem(
        of issuer: CertificateView, intermediatesBelow count: Int, _ options: VerificationOptions
    ) -> TrustFinding? {
        if let limit = issuer.parsed.basicConstraints?.pathLength, count > limit {
            var found = finding(
                .pathLengthExceeded, "\(issuer.subject) allows \(limit) authorities below it, and there are \(count)",
                issuer)
            found.facts.limit = limit
            return found
        }
        if let limit = options.maximumIntermediates, count > limit {
            var found = finding(.pathLengthExceeded, "The path has more than \(limit) intermediates", issuer)
            found.facts.limit = limit
            return found
        }
        return nil
    }

    private static func commonProblems(
        of certificate: CertificateView, at time: Timestamp, _ options: VerificationOptions
    ) -> [TrustFinding] {
        let parsed = certificate.parsed
        var problems: [TrustFinding] = []
        if let defect = parsed.defects.first {
            problems.append(
                finding(.malformedCertificate, "\(certificate.subject) is malformed: \(defect)", certificate))
        }
        if let weakness = parsed.keyAlgorithm.weakness {
            problems.append(finding(.weakKey, "\(certificate.subject): \(weakness)", certificate))
        }
        if let name = parsed.unhandledCriticalExtensions.first {
            problems.append(
                finding(
                    .unhandledCriticalExtension,
                    "\(certificate.subject) has the critical extension \(name), which is not processed", certificate))
        }
        if let usage = parsed.extendedKeyUsage, !usage.allowsServerAuthentication {
            problems.append(
                finding(.extendedKeyUsage, "\(certificate.subject) may not be used for TLS servers", certificate))
        }
        if options.checksDates, let start = parsed.notBefore, let end = parsed.notAfter {
            if time < start {
                problems.append(
                    finding(
                        .notYetValid, "\(certificate.subject) is valid from \(start) on, and it is \(time)",
                        certificate, time))
            } else if time > end {
                problems.append(
                    finding(
                        .expired, "\(certificate.subject) was valid until \(end), and it is \(time)", certificate, time)
                )
            }
        }
        return problems
    }

    private static func finding(
        _ code: TrustFinding.Code, _ reason: String, _ certificate: CertificateView, _ time: Timestamp? = nil
    ) -> TrustFinding {
        var facts = TrustFacts()
        facts.subject = certificate.subject
        facts.issuer = certificate.issuer
        facts.notBefore = certificate.notBefore
        facts.notAfter = certificate.notAfter
        facts.time = time
        return TrustFinding(code, reason + ".", facts: facts)
    }

    /// The order in which problems are worth telling: what can never be right before what may change with time or name.
    private static let ranking: [TrustFinding.Code] = [
        .malformedCertificate, .weakKey, .weakSignature, .notACertificateAuthority, .keyUsage,
        .unhandledCriticalExtension, .pathLengthExceeded, .nameConstraintViolation, .extendedKeyUsage, .expired,
        .notYetValid, .hostMismatch,
    ]

    /// Sorts problems, the one most worth telling first.
    static func ranked(_ problems: [TrustFinding]) -> [TrustFinding] {
        func rank(_ finding: TrustFinding) -> Int { ranking.firstIndex(of: finding.code) ?? ranking.count }
        return problems.enumerated().sorted { (rank($0.element), $0.offset) < (rank($1.element), $1.offset) }
            .map(\.element)
    }
}
