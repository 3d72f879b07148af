import HoldfastTrust

/// What `holdfast pin` found.
struct PinReport: Hashable {
    /// Where it comes from: a path, a server, or `-`.
    var source: String
    /// What the system verification says, for a server.
    var system: TrustFinding?
    /// The keys, in the order in which they were found.
    var entries: [PinEntry]
    /// Certificates that could not be read, for a server; a file with one is an error.
    var unreadable: [UnreadableCertificate] = []

    /// Describes the keys of a file, or of standard input if there is no path.
    init(of keys: [PinSource], from path: String?) {
        source = path ?? "-"
        entries = PinReport.entries(of: keys, OpenSSLCommand(origin: path.map { .file($0) } ?? .standardInput))
    }

    /// Describes the chain that a server presented.
    init(of chain: PresentedChain, from host: CanonicalHost, port: UInt16, system: TrustFinding?) {
        let name = host.text.contains(":") ? "[\(host.text)]:\(port)" : "\(host.text):\(port)"
        source = name
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
