import HoldfastTrust

/// What `holdfast pin` found.
struct PinReport: Hashable {
    /// Where it comes from: a path, a server, or `standard input`.
    var source: String
    /// The server's host; `nil` for a file.
    var host: CanonicalHost?
    /// What the system verification says, for a server.
    var system: TrustFinding?
    /// The keys, in the order in which they were found.
    var entries: [PinEntry]
    /// Certificates that could not be read, for a server; a file with one is an error.
    var unreadable: [UnreadableCertificate] = []

    /// Describes the keys in bytes. Throws one sentence that names where they come from.
    init(of bytes: [UInt8], from origin: OpenSSLCommand.Origin) throws(ToolError) {
        guard !bytes.isEmpty else { throw ToolError("\(origin) is empty") }
        source = origin.description
        do throws(CertificateError) {
            entries = PinReport.entries(of: try PinSource.sources(in: bytes), OpenSSLCommand(origin: origin))
        } catch {
            throw ToolError("\(origin): \(error.reason)")
        }
    }

    /// Describes the chain that a server presented.
    init(of chain: PresentedChain, from host: CanonicalHost, port: UInt16, system: TrustFinding?) {
        let name = ProbeTarget(host: host, port: port).description
        source = name
        self.host = host
        self.system = system
        entries = PinReport.entries(
            of: chain.certificates.map { .certificate($0) },
            OpenSSLCommand(origin: .server(name, serverName: host.isIPLiteral ? nil : host.text)))
        unreadable = chain.unreadable
    }

    private static func entries(of keys: [PinSource], _ command: OpenSSLCommand) -> [PinEntry] {
        var seen: [PinEntry.Kind: Int] = [:]
        return keys.map { key in
            var entry = PinEntry(key)
            seen[entry.kind, default: 0] += 1
            entry.command = command.text(for: entry.kind, position: seen[entry.kind] ?? 1)
            return entry
        }
    }
}
