public import HoldfastTrust

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
                    "pem-certificate",
                    "the file is PEM, which an app that expects DER does not read: openssl x509 -in FILE -outform DER -out FILE.cer",
                    name, nil)
            }
            do throws(CertificateError) {
                for certificate in try CertificateLoading.certificates(in: bytes) {
                    certificates += 1
                    check(certificate, name, time, &findings)
                    if let first = keys[certificate.spkiDigest] {
                        findings.warning(
                            "duplicate-key", "the key is that of \(Printable.text(first)) too: it is no backup", name,
                            nil)
                    } else {
                        keys[certificate.spkiDigest] = name
                    }
                }
            } catch {
                findings.error("unreadable-certificate", error.reason, name, nil)
            }
        }
        if certificates == 0 {
            findings.error(
                "no-certificate", "there is no certificate: an app that pins these refuses every connection", "", nil)
        } else if certificates == 1 || keys.count == 1 {
            findings.warning(
                "single-certificate", "there is one key alone: when the server changes it, every client is locked out",
                "",
                nil)
        }
        return findings.all
    }

    private static func check(
        _ certificate: CertificateView, _ name: String, _ time: Timestamp, _ findings: inout Findings
    ) {
        guard let notBefore = certificate.notBefore, let notAfter = certificate.notAfter else {
            return findings.error("unreadable-certificate", "the certificate's validity cannot be read", name, nil)
        }
        if notAfter < time {
            findings.warning("certificate-expired", "\(certificate.subject) expired at \(notAfter)", name, nil)
        } else if notAfter < time.advanced(bySeconds: certificateNotice) {
            findings.warning("certificate-expires-soon", "\(certificate.subject) expires at \(notAfter)", name, nil)
        }
        if notBefore > time {
            findings.warning(
                "certificate-not-yet-valid", "\(certificate.subject) is valid from \(notBefore)", name, nil)
        }
    }
}
