import HoldfastTrust

/// The keys that `holdfast pin` found in one source.
struct PinReport: Hashable {
    /// The source: a path, a server, or `standard input`.
    var source: String
    /// The server's host; `nil` for a file.
    var host: CanonicalHost?
    /// The system verification's finding, for a server.
    var system: TrustFinding?
    /// The keys, in the order in which they were found.
    var entries: [PinEntry]
    /// A server's certificates that could not be read. In a file, such a certificate is an error.
    var unreadable: [UnreadableCertificate] = []

    /// Describes the keys in bytes. Throws one sentence that names the source.
    init(of bytes: [UInt8], from origin: OpenSSLRecipe.Origin) throws(ToolError) {
        guard !bytes.isEmpty else { throw ToolError("\(origin) is empty") }
        source = origin.description
        let sources = try ToolError.explaining("\(origin): ", PinSource.sources(in: bytes))
        entries = PinReport.entries(of: sources, OpenSSLRecipe(origin: origin))
    }

    /// Describes the chain that a server presented.
    init(of chain: PresentedChain, from host: CanonicalHost, port: UInt16, system: TrustFinding?) {
        let name = ProbeTarget(host: host, port: port).description
        source = name
        self.host = host
        self.system = system
        entries = PinReport.entries(
            of: chain.certificates.map { .certificate($0) },
            OpenSSLRecipe(origin: .server(name, serverName: host.isIPLiteral ? nil : host.text)))
        unreadable = chain.unreadable
    }

    private static func entries(of keys: [PinSource], _ command: OpenSSLRecipe) -> [PinEntry] {
        var seen: [PinEntry.Kind: Int] = [:]
        return keys.map { key in
            var entry = PinEntry(key)
            seen[entry.kind, default: 0] += 1
            entry.command = command.text(for: entry.kind, position: seen[entry.kind] ?? 1)
            return entry
        }
    }
}

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

extension PinReport {
    /// Returns the report for a person, without a trailing line break.
    func text(at now: Timestamp) -> String {
        var lines: [String] = []
        let count = entries.count + unreadable.count
        lines.append("\(source): \(count == 1 ? "one key" : "\(count) keys")")
        if let system { lines.append("system verification: \(system)") }
        for (index, entry) in entries.enumerated() {
            lines.append("")
            lines.append("\(index + 1). \(entry.kind.words)")
            lines += entry.lines(at: now).map { "   " + $0 }
        }
        for bad in unreadable {
            lines.append("")
            lines.append("certificate \(bad.index + 1) of the chain cannot be read: \(bad.error.reason)")
        }
        return lines.joined(separator: "\n")
    }
}

extension PinEntry {
    /// The entry's details, one label and value per line.
    fileprivate func lines(at now: Timestamp) -> [String] {
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
