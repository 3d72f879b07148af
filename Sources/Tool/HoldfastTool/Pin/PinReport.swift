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

    /// Whether the source is a PKCS #12 file.
    var isPKCS12 = false

    /// Describes the keys in a file's bytes. Throws one sentence that names the source.
    ///
    /// - Parameters:
    ///   - path: The file; `nil` for standard input.
    ///   - password: Returns the password of a PKCS #12 file.
    init(of bytes: [UInt8], path: String?, password: () throws(ToolError) -> PKCS12Password) throws(ToolError) {
        let isDER = !PEMReader.isPEM(bytes)
        var origin: OpenSSLRecipe.Origin = path.map { .file($0, isDER: isDER) } ?? .standardInput(isDER: isDER)
        guard !bytes.isEmpty else { throw ToolError("\(origin) is empty") }
        let sources: [PinSource]
        if PKCS12File.isPKCS12(bytes) {
            let password = try password()
            do throws(PKCS12File.Failure) {
                sources = try PKCS12File(bytes, password: password).certificates.map { .certificate($0) }
            } catch {
                throw password.error(error, for: origin)
            }
            origin = .pkcs12(path, password: password.opensslSource)
            isPKCS12 = true
        } else {
            sources = try ToolError.explaining("\(origin): ", PinSource.sources(in: bytes))
        }
        source = origin.description
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

extension PinReport: Encodable {
    private enum Keys: String, CodingKey {
        case source, system, systemReason, keys, unreadable
    }

    /// One JSON object on several lines, with sorted keys.
    var json: String { get throws { try PrettyJSON.text(of: self) } }

    func encode(to encoder: any Encoder) throws {
        var fields = encoder.container(keyedBy: Keys.self)
        try fields.encode(source, forKey: .source)
        try fields.encodeIfPresent(system?.code.rawValue, forKey: .system)
        try fields.encodeIfPresent(system?.reason, forKey: .systemReason)
        try fields.encode(entries, forKey: .keys)
        if !unreadable.isEmpty { try fields.encode(unreadable.map(\.error.reason), forKey: .unreadable) }
    }
}

extension PinEntry: Encodable {
    private enum Keys: String, CodingKey {
        case kind, subject, issuer, notBefore, notAfter, names, key, pin, rawKeySHA256, certificateSHA256, command
    }

    func encode(to encoder: any Encoder) throws {
        var fields = encoder.container(keyedBy: Keys.self)
        try fields.encode(kind.rawValue, forKey: .kind)
        if let certificate {
            try fields.encode(certificate.subject, forKey: .subject)
            try fields.encode(certificate.issuer, forKey: .issuer)
            try fields.encode(certificate.notBefore?.description, forKey: .notBefore)
            try fields.encode(certificate.notAfter?.description, forKey: .notAfter)
            try fields.encode(certificate.names, forKey: .names)
            try fields.encode(certificate.certificateDigest.base64, forKey: .certificateSHA256)
        }
        try fields.encode(key.keyDescription, forKey: .key)
        try fields.encode(key.digest.base64, forKey: .pin)
        try fields.encode(key.rawKeyDigest.base64, forKey: .rawKeySHA256)
        try fields.encode(command, forKey: .command)
    }
}
