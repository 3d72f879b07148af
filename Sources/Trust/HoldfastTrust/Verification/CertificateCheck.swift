/// The checks on single certificates of a path. Each list is ranked: the first entry is the one worth telling.
enum CertificateCheck {
    /// What is wrong with the server's own certificate, whatever the path above it.
    static func leafProblems(
        of leaf: CertificateView, at time: Timestamp, _ options: VerificationOptions
    ) -> [CertificateProblem] {
        let parsed = leaf.parsed
        var problems = commonProblems(of: leaf, at: time, options)
        // RFC 5280, 4.2.1.10: name constraints must be used only in a CA certificate.
        if parsed.extensions.nameConstraints != nil, !leaf.isCertificateAuthority {
            problems.add(
                .malformedCertificate, "\(leaf.subject) has name constraints but is not a certificate authority", leaf)
        }
        // RFC 8446, 4.4.2.2: where key usage is present, digitalSignature must be set; all our suites sign.
        if let usage = parsed.extensions.keyUsage, !usage.digitalSignature, !leaf.isCertificateAuthority {
            problems.add(.keyUsage, "The key of \(leaf.subject) may not be used to sign a handshake", leaf)
        }
        if let host = options.host, !HostCheck.matches(leaf, host) {
            problems.append(CertificateProblem(.hostMismatch) { hostMismatch(leaf, host) })
        }
        return ranked(problems)
    }

    /// What is wrong with a certificate authority, whatever its place on the path.
    static func issuerProblems(
        of issuer: CertificateView, at time: Timestamp, _ options: VerificationOptions
    ) -> [CertificateProblem] {
        var problems = commonProblems(of: issuer, at: time, options)
        // RFC 5280, 6.1.4 (k): version 3 with the CA bit, for anchors too; a version 1 certificate issues nothing.
        if !issuer.isCertificateAuthority {
            problems.add(.notACertificateAuthority, "\(issuer.subject) is no certificate authority", issuer)
        }
        if let usage = issuer.parsed.extensions.keyUsage, !usage.keyCertSign {
            problems.add(.keyUsage, "\(issuer.subject) may not sign certificates", issuer)
        }
        if DistinguishedName.isEmpty(issuer.parsed.outline.subject) {
            problems.add(.malformedCertificate, "An authority on the path has no name", issuer)
        }
        return ranked(problems)
    }

    /// Whether the authority's own path length constraint, or the caller's limit, forbids what lies below it.
    static func lengthProblem(
        of issuer: CertificateView, intermediatesBelow count: Int, _ options: VerificationOptions
    ) -> CertificateProblem? {
        if let limit = issuer.parsed.extensions.basicConstraints?.pathLength, count > limit {
            return problem(
                .pathLengthExceeded, "\(issuer.subject) allows \(limit) authorities below it, and there are \(count)",
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
                .certificateLimitExceeded, "\(certificate.subject) was not read to its end: \(exceeded.reason)",
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
            problems.add(.extendedKeyUsage, "\(certificate.subject) may not be used for TLS servers", certificate)
        }
        if options.checksDates, let start = parsed.outline.notBefore, let end = parsed.outline.notAfter {
            if time < start {
                problems.add(
                    .notYetValid, "\(certificate.subject) is valid from \(start) on, and it is \(time)", certificate,
                    time: time)
            } else if time > end {
                problems.add(
                    .expired, "\(certificate.subject) was valid until \(end), and it is \(time)", certificate,
                    time: time)
            }
        }
        return problems
    }

    fileprivate static func problem(
        _ code: TrustFinding.Code, _ reason: @escaping @autoclosure () -> String, _ certificate: CertificateView,
        time: Timestamp? = nil, limit: Int? = nil
    ) -> CertificateProblem {
        CertificateProblem(code) {
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
        let list = names.isEmpty ? "no host at all" : names.prefix(8).joined(separator: ", ")
        return TrustFinding(.hostMismatch, "The certificate is not for \(host) but for \(list).", facts: facts)
    }

    /// Sorts problems by ``TrustFinding/Code/ranking``, and those of one code by their place on the path.
    static func ranked(_ problems: [CertificateProblem]) -> [CertificateProblem] {
        guard problems.count > 1 else { return problems }
        return problems.enumerated().sorted { ($0.element.code.rank, $0.offset) < ($1.element.code.rank, $1.offset) }
            .map(\.element)
    }
}

/// Something that is wrong with a certificate of a path.
///
/// A search meets thousands of problems and tells of one: a peer chooses how long its names are, so the finding with its
/// texts is made where it is told.
struct CertificateProblem {
    let code: TrustFinding.Code
    private let describe: () -> TrustFinding

    init(_ code: TrustFinding.Code, describe: @escaping () -> TrustFinding) {
        self.code = code
        self.describe = describe
    }

    /// What is told of the problem.
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

/// Whether a certificate is for a host (RFC 9525): by its subject alternative names alone, never by a common name.
enum HostCheck {
    static func matches(_ certificate: CertificateView, _ host: CanonicalHost) -> Bool {
        let parsed = certificate.parsed
        switch host.kind {
        case .ipv4(let address), .ipv6(let address):
            // The address from the URL, never the one that the socket reached.
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
