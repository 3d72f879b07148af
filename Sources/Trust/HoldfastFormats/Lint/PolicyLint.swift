import HoldfastBase
public import HoldfastTrust

/// Finds probable mistakes in valid policies. Trust decisions do not depend on lint.
///
/// All functions are pure: the time, the chain and the roots are parameters. The codes of the findings are stable and
/// listed in `docs/lint.md`.
public enum PolicyLint {
    /// By default, pins that expire within this number of seconds cause a warning: thirty days.
    public static let expiryNotice: Int64 = 30 * 86_400

    /// Returns all findings for a document in the order of the file: the findings of its reader, the reasons why it is
    /// not a valid policy, and probable mistakes.
    ///
    /// - Parameters:
    ///   - document: The document to check.
    ///   - time: The current time, for expiry warnings.
    ///   - chain: The chain that a server of the policy presents, leaf first.
    ///   - roots: The system's root certificates.
    ///   - notice: Pins that expire within this number of seconds cause a warning.
    public static func check(
        _ document: PolicyDocument, at time: Timestamp, chain: PresentedChain? = nil, roots: [CertificateView] = [],
        notice: Int64 = expiryNotice
    ) -> [PolicyDiagnostic] {
        guard !document.hasTooManyPins else {
            let reason = "the domains have more than \(PolicyDocument.maximumPins) pins in total"
            return document.diagnostics + [PolicyDiagnostic(.error, .tooLarge, reason, path: "")]
        }
        var linter = Linter(document: document, time: time, notice: notice)
        linter.checkPins()
        linter.checkHosts()
        linter.checkReach()
        linter.checkAnchors()
        if let chain { linter.check(chain) }
        if !roots.isEmpty { linter.check(roots: roots) }
        linter.checkUsability()
        linter.checkContent()
        // Findings of the reader are not repeated.
        let known = Set(document.diagnostics.map { [$0.code.rawValue, $0.path] })
        let all = document.diagnostics + linter.findings.all.filter { !known.contains([$0.code.rawValue, $0.path]) }
        let order = all.enumerated().sorted { left, right in
            let first = (left.element.position ?? .start, left.offset)
            return first < (right.element.position ?? .start, right.offset)
        }
        return order.map(\.element)
    }

    /// By default, certificates that expire within this number of seconds cause a warning: thirty days.
    public static let certificateNotice: Int64 = 30 * 86_400

    /// Checks a folder of certificates that an app ships for pinning, each given as a name and its bytes. The path of a
    /// finding is the certificate's name. Certificates that expire within `notice` seconds cause a warning.
    public static func checkCertificates(
        _ files: [(name: String, bytes: [UInt8])], at time: Timestamp, notice: Int64 = certificateNotice
    ) -> [PolicyDiagnostic] {
        var findings = Findings()
        var keys: [SPKIDigest: String] = [:]
        var certificates = 0
        for (name, bytes) in files.sorted(by: { $0.name < $1.name }) {
            if PEMReader.isPEM(bytes) {
                findings.warning(
                    .pemCertificate,
                    "the file is PEM, but apps expect DER: openssl x509 -in FILE -outform DER -out FILE.cer",
                    name)
            }
            do throws(CertificateError) {
                for certificate in try CertificateLoading.certificates(in: bytes) {
                    certificates += 1
                    checkDates(of: certificate, name, at: time, notice: notice, &findings)
                    if let first = keys[certificate.spkiDigest] {
                        findings.warning(
                            .duplicateKey,
                            "the key is the same as the key of \(Printable.text(first)), so it is not a backup", name)
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
                .noCertificate, "there are no certificates: an app that pins this folder refuses every connection", "")
        } else if certificates == 1 || keys.count == 1 {
            findings.warning(
                .singleCertificate, "there is only one key: if the server changes it, every client is locked out",
                "")
        }
        return findings.all
    }

    /// Warns about a certificate that has expired, expires within `notice` seconds or is not yet valid.
    static func checkDates(
        of certificate: CertificateView, _ name: String, at time: Timestamp, notice: Int64,
        _ findings: inout Findings
    ) {
        guard let notBefore = certificate.notBefore, let notAfter = certificate.notAfter else {
            return findings.error(.unreadableCertificate, "the certificate's validity cannot be read", name)
        }
        if notAfter < time {
            findings.warning(.certificateExpired, "\(certificate.subject) expired at \(notAfter)", name)
        } else if notAfter < time.advanced(bySeconds: notice) {
            findings.warning(.certificateExpiresSoon, "\(certificate.subject) expires at \(notAfter)", name)
        }
        if notBefore > time {
            findings.warning(.certificateNotYetValid, "\(certificate.subject) is valid from \(notBefore)", name)
        }
    }
}
