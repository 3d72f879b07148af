import HoldfastTrust

/// The anchors of an advice.
struct AdviceAnchors {
    /// The engine that verifies the chains.
    var engine: TrustEngine
    /// The certificates in which paths may end.
    var certificates: [CertificateView]
    /// The certificates among them that the machine trusts.
    var publicRoots: Set<CertificateView>

    /// Reads the file of `--trust-anchors` and the machine's roots. Throws one sentence.
    init(file: String?) throws(ToolError) {
        // The platform's roots cannot be listed everywhere. Then fewer paths are found.
        let machine = (try? SystemRootStore.shared.current(at: TrustClock.system.now()).certificates) ?? []
        publicRoots = Set(machine)
        if let file {
            certificates = try ToolError.explaining("", CertificateLoading.certificates(atPath: file))
            engine = TrustEngine(anchors: .only(certificates))
        } else {
            certificates = machine
            engine = TrustEngine(anchors: .system)
        }
    }
}

/// The sources of an advice: chains, and keys without a chain.
struct AdviceSources {
    private var chains: [PinReport] = []
    private var backups: [PinAdvice.Key] = []
    private let pattern: HostPattern

    /// Divides the sources. Throws one sentence if the hosts differ or are unknown.
    init(_ reports: [PinReport], host: HostPattern?) throws(ToolError) {
        for report in reports {
            if report.unreadable.first?.index == 0 {
                throw ToolError("\(report.source): the server's own certificate cannot be read")
            }
            if report.entries.contains(where: { $0.kind == .certificate }) { chains.append(report) }
            for entry in report.entries where entry.kind != .certificate {
                backups.append(PinAdvice.Key(source: report.source, key: entry.key))
            }
        }
        guard let current = chains.first else {
            throw ToolError("no source contains the server's certificate: give the server or its chain first")
        }
        let hosts = Set(reports.compactMap(\.host))
        guard hosts.count < 2 || host != nil else {
            throw ToolError("the servers have different hosts: give one of them, or add --host", status: .usage)
        }
        let names = current.entries.first { $0.kind == .certificate }?.certificate?.names ?? []
        guard
            let pattern = host ?? hosts.first.map({ HostPattern($0) })
                ?? names.lazy.compactMap({ try? HostPattern($0) }).first
        else {
            throw ToolError(
                "the certificate has no host name: add --host, as in --host api.example.com", status: .usage)
        }
        self.pattern = pattern
    }

    /// Verifies the chains and returns the advice.
    func advice(_ anchors: AdviceAnchors, denied: PinSet, at time: Timestamp) throws -> PinAdvice {
        // A wildcard needs a host to verify the certificate for.
        let host =
            pattern.depth.covers(labelsBelow: 0) ? pattern.host : try CanonicalHost("www." + pattern.host.text)
        let verified = chains.map { report in
            let presented = PresentedChain(report.entries.compactMap(\.certificate))
            return PinAdvice.Chain(
                source: report.source, isServer: report.host != nil, presented: presented,
                paths: PinPaths(
                    presented, host: host, engine: anchors.engine, roots: anchors.certificates, at: time)
            )
        }
        return PinAdvice(
            for: pattern, chains: verified, backups: backups, denied: denied, publicRoots: anchors.publicRoots)
    }
}
