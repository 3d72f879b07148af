import HoldfastTrust

/// The verified paths of a presented chain. A pure function of its arguments.
///
/// The first path is that of the system verification. The others are found by pinning one certificate authority at a
/// time: a path is verified under that pin exactly if clients that pin this authority accept the server.
struct PinPaths: Hashable {
    /// The maximum number of authorities that are tried, because each costs one evaluation. If there are more, a note
    /// says that the advice is incomplete.
    static let limit = 64

    /// The finding of the system verification.
    let finding: TrustFinding
    /// Whether the server's certificate is not valid for the host, even if the verification fails for another reason.
    let isForAnotherHost: Bool
    /// The paths, each from the server's certificate to the anchor. Empty if the verification fails.
    private(set) var paths: [[CertificateView]] = []
    /// Whether more authorities exist than were tried.
    private(set) var isIncomplete = false

    /// Verifies the chain.
    ///
    /// - Parameters:
    ///   - roots: The certificates among the engine's anchors, which may be ends of further paths.
    init(
        _ chain: PresentedChain, host: CanonicalHost, engine: TrustEngine, roots: [CertificateView], at time: Timestamp
    ) {
        let subject = TrustSubject(host: host)
        let verdict = engine.evaluate(chain, for: subject, at: time)
        finding = verdict.finding
        isForAnotherHost = ([verdict.finding] + verdict.notices).contains { $0.code == .hostMismatch }
        guard verdict.decision == .allow, let first = verdict.path?.certificates else { return }
        paths = [first]
        var tried = Set(first)
        let bySubject = Dictionary(grouping: roots, by: \.subject)
        var waiting = Array(chain.certificates.dropFirst())
        for certificate in chain.certificates + first { waiting += bySubject[certificate.issuer] ?? [] }
        var attempts = 0
        while let candidate = waiting.popLast() {
            guard tried.insert(candidate).inserted else { continue }
            guard attempts < Self.limit else {
                isIncomplete = true
                return
            }
            attempts += 1
            let pins = PinSet([Pin(candidate.certificateDigest, scope: .ca)])
            let rule = PinningRule(host: host, pins: pins)
            // One pin suffices: nobody uses this policy.
            guard let policy = try? PinningPolicy(name: "path", rules: [rule], backupPins: .off) else { continue }
            let verdict = engine.evaluate(chain, for: subject, at: time, under: policy)
            guard verdict.finding.code == .pinMatched, let path = verdict.path?.certificates,
                path.dropFirst().contains(candidate), !paths.contains(path)
            else { continue }
            paths.append(path)
            for certificate in path { waiting += bySubject[certificate.issuer] ?? [] }
        }
    }
}
