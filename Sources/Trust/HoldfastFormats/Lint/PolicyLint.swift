import HoldfastBase
public import HoldfastTrust

/// Finds what is legal in a policy and probably a mistake. Nothing here takes part in a decision.
///
/// All functions are pure: the time, the chain and the roots come in as parameters. The codes of the findings are stable and
/// listed in `docs/formats.md`.
public enum PolicyLint {
    /// Pins that end within so many seconds are worth a warning: thirty days.
    public static let expiryNotice: Int64 = 30 * 86_400

    /// Everything to be said about a document, in the order of the file: what its reader found, what keeps it from being
    /// a policy, and what is probably a mistake. `chain` is what a server of the policy presents, its own certificate first.
    public static func check(
        _ document: PolicyDocument, at time: Timestamp, chain: PresentedChain? = nil, roots: [CertificateView] = []
    ) -> [PolicyDiagnostic] {
        guard !document.hasTooManyPins else {
            let reason = "the domains have more than \(PolicyDocument.maximumPins) pins together"
            return document.diagnostics + [PolicyDiagnostic(.error, .tooLarge, reason, path: "")]
        }
        var linter = Linter(document: document, time: time)
        linter.checkPins()
        linter.checkHosts()
        linter.checkReach()
        if let chain { linter.check(chain) }
        if !roots.isEmpty { linter.check(roots: roots) }
        linter.checkUsability()
        linter.checkContent()
        // What the reader found is not said again.
        let known = Set(document.diagnostics.map { [$0.code.rawValue, $0.path] })
        let all = document.diagnostics + linter.findings.all.filter { !known.contains([$0.code.rawValue, $0.path]) }
        let order = all.enumerated().sorted { left, right in
            let first = (left.element.position ?? .start, left.offset)
            return first < (right.element.position ?? .start, right.offset)
        }
        return order.map(\.element)
    }
}

extension PolicyLint {
    /// A certificate that ends within so many seconds is worth a warning: thirty days.
    public static let certificateNotice: Int64 = 30 * 86_400

    /// Checks a folder of certificates that an app ships for pinning: each a name and its bytes. Paths of the findings are
    /// the names.
    public static func checkCertificates(
        _ files: [(name: String, bytes: [UInt8])], at time: Timestamp
    ) -> [PolicyDiagnostic] {
        var findings = Findings()
        var keys: [SPKIDigest: String] = [:]
        var certificates = 0
        for (name, bytes) in files.sorted(by: { $0.name < $1.name }) {
            if PEMReader.isPEM(bytes) {
                findings.warning(
                    .pemCertificate,
                    "the file is PEM, which an app that expects DER does not read: openssl x509 -in FILE -outform DER -out FILE.cer",
                    name)
            }
            do throws(CertificateError) {
                for certificate in try CertificateLoading.certificates(in: bytes) {
                    certificates += 1
                    check(certificate, name, time, &findings)
                    if let first = keys[certificate.spkiDigest] {
                        findings.warning(
                            .duplicateKey,
                            "the key is the same as that of \(Printable.text(first)), so it cannot be the backup", name)
                    } else {
                        keys[certificate.spkiDigest] = name
                    }
                }
            } catch {
                findings.error(.unreadableCertificate, error.reason, name)
            }
        }
        if certificates == 0 {
            findings.error(
                .noCertificate, "there is no certificate: an app that pins these refuses every connection", "")
        } else if certificates == 1 || keys.count == 1 {
            findings.warning(
                .singleCertificate, "there is one key alone: when the server changes it, every client is locked out",
                "")
        }
        return findings.all
    }

    private static func check(
        _ certificate: CertificateView, _ name: String, _ time: Timestamp, _ findings: inout Findings
    ) {
        guard let notBefore = certificate.notBefore, let notAfter = certificate.notAfter else {
            return findings.error(.unreadableCertificate, "the certificate's validity cannot be read", name)
        }
        if notAfter < time {
            findings.warning(.certificateExpired, "\(certificate.subject) expired at \(notAfter)", name)
        } else if notAfter < time.advanced(bySeconds: certificateNotice) {
            findings.warning(.certificateExpiresSoon, "\(certificate.subject) expires at \(notAfter)", name)
        }
        if notBefore > time {
            findings.warning(.certificateNotYetValid, "\(certificate.subject) is valid from \(notBefore)", name)
        }
    }
}
