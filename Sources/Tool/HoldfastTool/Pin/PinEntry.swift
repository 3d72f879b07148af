import HoldfastTrust

/// A key with its details.
struct PinEntry: Hashable {
    /// What contained the key.
    enum Kind: String, Hashable {
        case certificate
        case certificationRequest
        case publicKey

        /// The kind in words.
        var words: String {
            switch self {
            case .certificate: "certificate"
            case .certificationRequest: "certification request"
            case .publicKey: "public key"
            }
        }
    }

    /// What contained the key.
    var kind: Kind
    /// The key.
    var key: PublicKeyInfo
    /// The certificate, if the key came from one.
    var certificate: CertificateView?
    /// The openssl command that prints the same hash.
    var command = ""

    /// Describes a key, without the command.
    init(_ key: PinSource) {
        self.key = key.publicKey
        switch key {
        case .certificate(let view):
            kind = .certificate
            certificate = view
        case .certificationRequest:
            kind = .certificationRequest
        case .publicKey:
            kind = .publicKey
        }
    }
}

extension PinEntry {
    /// The entry's details, one label and value per line.
    func lines(at now: Timestamp) -> [String] {
        var lines: [(String, String)] = []
        if let certificate {
            lines.append(("subject", certificate.subject))
            lines.append(("issuer", certificate.issuer))
            lines.append(("valid", certificate.validity(at: now)))
            if !certificate.names.isEmpty { lines.append(("names", certificate.names.joined(separator: ", "))) }
        }
        lines.append(("key", key.keyDescription))
        lines.append(("pin", key.digest.description))
        lines.append(("verify", command))
        return lines.map { TerminalWidth.padded($0, to: 9) + $1 }
    }
}

extension CertificateView {
    /// The validity in words, with a note if the certificate is expired or not yet valid.
    fileprivate func validity(at now: Timestamp) -> String {
        let start = notBefore?.description ?? "(malformed)"
        let end = notAfter?.description ?? "(malformed)"
        let note =
            if let notAfter, notAfter < now {
                " (expired)"
            } else if let notBefore, now < notBefore {
                " (not yet valid)"
            } else {
                ""
            }
        return "\(start) to \(end)\(note)"
    }
}
