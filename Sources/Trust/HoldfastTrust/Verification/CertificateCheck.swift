/// The checks of single certificates on a path. Each list of problems is ranked, and the first one is reported.
enum CertificateCheck {
    /// Returns the problems of the server's certificate that do not depend on the path above it.
    static func leafProblems(
        of leaf: CertificateView, at time: Timestamp, _ options: VerificationOptions
    ) -> [CertificateProblem] {
        let parsed = leaf.parsed
        var problems = commonProblems(of: leaf, at: time, options)
        // RFC 5280, 4.2.1.10: only a CA certificate may contain name constraints.
        if parsed.extensions.nameConstraints != nil, !leaf.isCertificateAuthority {
            problems.add(
                .malformedCertificate, "\(leaf.subject) has name constraints but is not a certificate authority", leaf)
        }
        // RFC 8446, 4.4.2.2: if key usage is present, digitalSignature must be set. All supported cipher suites use
        // signatures.
        if let usage = parsed.extensions.keyUsage, !usage.digitalSignature, !leaf.isCertificateAuthority {
            problems.add(.keyUsage, "The key usage of \(leaf.subject) does not allow signing a handshake", leaf)
        }
        if let host = options.host, !HostCheck.matches(leaf, host) {
            problems.append(CertificateProblem(code: .hostMismatch) { hostMismatch(leaf, host) })
        }
        return ranked(problems)
    }

    /// Returns the problems of a certificate authority that do not depend on its position on the path.
    static func issuerProblems(
        of issuer: CertificateView, at time: Timestamp, _ options: VerificationOptions
    ) -> [CertificateProblem] {
        var problems = commonProblems(of: issuer, at: time, options)
        // RFC 5280, 6.1.4 (k): an issuer needs version 3 and the CA bit. This applies to anchors too; a version 1
        // certificate cannot issue certificates.
        if !issuer.isCertificateAuthority {
            problems.add(.notACertificateAuthority, "\(issuer.subject) is not a certificate authority", issuer)
        }
        if let usage = issuer.parsed.extensions.keyUsage, !usage.keyCertSign {
            problems.add(.keyUsage, "The key usage of \(issuer.subject) does not allow signing certificates", issuer)
        }
        if DistinguishedName.isEmpty(issuer.parsed.outline.subject) {
            problems.add(.malformedCertificate, "An authority on the path has no name", issuer)
        }
        return ranked(problems)
    }

    /// Returns a problem if the authority's path length constraint, or the caller's limit, does not allow the path
    /// below it.
    static func lengthProblem(
        of issuer: CertificateView, intermediatesBelow count: Int, _ options: VerificationOptions
    ) -> CertificateProblem? {
        if let limit = issuer.parsed.extensions.basicConstraints?.pathLength, count > limit {
            return problem(
                .pathLengthExceeded,
                "\(issuer.subject) allows \(limit) authorities below it, but the path has \(count)",
                issuer, limit: limit)
        }
        if let limit = options.maximumIntermediates, count > limit {
            return problem(
                .pathLengthExceeded, "The path has more than \(limit) intermediates", issuer, limit: limit)
        }
        return nil
    }

    private static func commonProblems(
        of certificate: CertificateView, at time: Timestamp, _ options: VerificationOptions
    ) -> [CertificateProblem] {
        let parsed = certificate.parsed
        var problems: [CertificateProblem] = []
        if let defect = parsed.outline.defects.first {
            problems.add(.malformedCertificate, "\(certificate.subject) is malformed: \(defect)", certificate)
        }
        if let exceeded = parsed.extensions.exceeded {
            problems.add(
                .certificateLimitExceeded, "\(certificate.subject) exceeds a limit: \(exceeded.reason)",
                certificate, limit: exceeded.count)
        }
        if let weakness = parsed.keyAlgorithm.weakness {
            problems.add(.weakKey, "\(certificate.subject): \(weakness)", certificate)
        }
        if let name = parsed.extensions.unhandledCritical.first {
            problems.add(
                .unhandledCriticalExtension,
                "\(certificate.subject) has the critical extension \(name), which is not processed", certificate)
        }
        if let usage = parsed.extensions.extendedKeyUsage, !usage.allowsServerAuthentication {
            problems.add(
                .extendedKeyUsage, "The extended key usage of \(certificate.subject) does not allow TLS servers",
                certificate)
        }
        if let policies = parsed.extensions.applicationPolicies, !policies.allowsServerAuthentication {
            problems.add(
                .extendedKeyUsage,
                "The critical application policies of \(certificate.subject) do not allow TLS servers", certificate)
        }
        if options.checksDates, let start = parsed.outline.notBefore, let end = parsed.outline.notAfter {
            if time < start {
                problems.add(
                    .notYetValid, "\(certificate.subject) is valid from \(start); the time is \(time)", certificate,
                    time: time)
            } else if time > end {
                problems.add(
                    .expired, "\(certificate.subject) was valid until \(end); the time is \(time)", certificate,
                    time: time)
            }
        }
        return problems
    }

    fileprivate static func problem(
        _ code: TrustFinding.Code, _ reason: @escaping @autoclosure () -> String, _ certificate: CertificateView,
        time: Timestamp? = nil, limit: Int? = nil
    ) -> CertificateProblem {
        CertificateProblem(code: code) {
            var finding = TrustFinding(code, reason() + ".", about: certificate)
            finding.facts.notBefore = certificate.notBefore
            finding.facts.notAfter = certificate.notAfter
            finding.facts.time = time
            finding.facts.limit = limit
            return finding
        }
    }

    private static func hostMismatch(_ leaf: CertificateView, _ host: CanonicalHost) -> TrustFinding {
        let names = leaf.names
        var facts = TrustFacts()
        facts.host = host.text
        facts.presentedNames = names
        facts.subject = leaf.subject
        let list = names.isEmpty ? "none" : names.prefix(8).joined(separator: ", ")
        return TrustFinding(
            .hostMismatch, "The certificate is not valid for \(host). Its names: \(list).", facts: facts)
    }

    /// Sorts problems by ``TrustFinding/Code/ranking``, and problems with the same code by their position on the path.
    static func ranked(_ problems: [CertificateProblem]) -> [CertificateProblem] {
        guard problems.count > 1 else { return problems }
        return problems.enumerated().sorted { ($0.element.code.rank, $0.offset) < ($1.element.code.rank, $1.offset) }
            .map(\.element)
    }
}

/// A problem of a certificate on a path.
///
/// A search may find thousands of problems but reports one. The finding and its texts are created only for the reported
/// problem, because a peer controls the length of its names.
struct CertificateProblem {
    let code: TrustFinding.Code
    /// Creates the finding that reports the problem.
    let describe: () -> TrustFinding

    /// The finding that reports the problem.
    var finding: TrustFinding { describe() }
}

extension [CertificateProblem] {
    fileprivate mutating func add(
        _ code: TrustFinding.Code, _ reason: @escaping @autoclosure () -> String, _ certificate: CertificateView,
        time: Timestamp? = nil, limit: Int? = nil
    ) {
        append(CertificateCheck.problem(code, reason(), certificate, time: time, limit: limit))
    }
}

/// Checks whether a certificate is valid for a host (RFC 9525). Uses only subject alternative names, never a common
/// name.
enum HostCheck {
    static func matches(_ certificate: CertificateView, _ host: CanonicalHost) -> Bool {
        let parsed = certificate.parsed
        switch host.kind {
        case .ipv4(let address), .ipv6(let address):
            // The address is the one from the URL, not the one that the socket is connected to.
            return parsed.extensions.subjectAlternativeNames.contains { name in
                if case .ipAddress(let range) = name { parsed.der[range].elementsEqual(address) } else { false }
            }
        case .name:
            let text = Array(host.text.utf8)
            return parsed.extensions.subjectAlternativeNames.contains { name in
                if case .dns(let range) = name {
                    DNSName.matches(presented: parsed.der, in: range, host: text)
                } else {
                    false
                }
            }
        }
    }
}
