import HoldfastBase
import HoldfastTransport
import HoldfastTrust

/// What a probe of one server found. All text in it is safe to print.
struct ProbeReport: Hashable, Sendable {
    /// The server.
    var target: ProbeTarget
    /// The time for which it was judged.
    var time: Timestamp
    /// How long it took.
    var duration: Duration = .zero
    /// What was expected.
    var expectation: ProbeExpectation = .allow
    /// What became of the connection of a client.
    var outcome: ProbeOutcome
    /// What the handshake settled; `nil` if there was none.
    var connection: ProbeConnection?
    /// The certificates: those that were sent, then those that were added.
    var certificates: [ProbeCertificate] = []
    /// Certificates that were sent and cannot be read: their place and why.
    var unreadable: [Int: String] = [:]
    /// How many certificates were sent, and how many bytes they have.
    var sent = Sent(count: 0, bytes: 0)
    /// The verdicts: of the system verification, then of what else was given.
    var verdicts: [ProbeVerdict] = []
    /// The pins for the host, in a stable order.
    var pins: [Pin] = []
    /// Those of them that match neither the server's own certificate nor one of the verified path: backups, or what is no
    /// longer there.
    var unseenPins: [Pin] = []
    /// When the policy's rule for the host ends.
    var policyExpires: Timestamp?
    /// How to mend the policy, where no pin matches.
    var advice: ProbeAdvice?
    /// What wants to be known.
    var warnings: [ProbeWarning] = []
    /// What the check with an impostor came to, where it was made.
    var twoWay: TwoWayReport?

    /// The size of a chain.
    struct Sent: Hashable, Sendable {
        var count: Int
        var bytes: Int
    }

    /// Whether everything is as it was expected; `nil` if there is no verdict.
    var isAsExpected: Bool? {
        if twoWay?.isPassed == false, outcome.permits != nil { return false }
        return outcome.permits.map { $0 == (expectation == .allow) }
    }

    /// The exit code for this server.
    var status: ToolStatus {
        switch isAsExpected {
        case true: .success
        case false: .failure
        case nil: .unreachable
        }
    }

    /// The server's own certificate, where it could be read.
    var leaf: ProbeCertificate? { certificates.first { $0.isLeaf } }

    /// The server's own certificate and those of the verified path, each once. What else a server sends decides nothing, and
    /// could be anything.
    var weighed: [ProbeCertificate] {
        var seen: Set<CertificateDigest> = []
        return certificates.filter {
            ($0.isLeaf || $0.pathPosition != nil) && seen.insert($0.fingerprint).inserted
        }
    }

    /// The fewest days that any of them has left.
    var fewestDays: Int64? { weighed.compactMap { $0.daysLeft(at: time) }.min() }

    /// The exit code for several servers: what is not as expected counts more than what was not there.
    static func status(of reports: [ProbeReport]) -> ToolStatus {
        let all = Set(reports.map(\.status))
        return all.contains(.failure) ? .failure : all.contains(.unreachable) ? .unreachable : .success
    }
}

extension ProbeReport {
    /// What was seen and judged where a client's own connection was refused.
    ///
    /// - Parameter prober: What would have judged a probe: the client's trust, roots and clock.
    init(_ verdict: TrustVerdict, on server: ProbeTarget, prober: Prober) {
        let now = prober.clock.now()
        let trust = prober.trust
        let pins = trust.pins(for: server.host, at: now)
        self.init(target: server, time: now, outcome: .refused(ProbeVerdict.Finding(verdict.decidingFinding)))
        certificates = ProbeCertificate.list(verdict.presented, path: verdict.path, pins: pins)
        sent = Sent(count: verdict.presented?.count ?? 0, bytes: verdict.presented?.byteCount ?? 0)
        verdicts = [ProbeVerdict(verdict, judge: trust.name)]
        self.pins = pins.sorted
        policyExpires = trust.expires(for: server.host, at: now)
        advice = ProbeAdvice(verdict, target: server, trust: trust, route: prober.route(to: server), at: now)
    }

    /// What a person is told of a refusal: the verdict, and how the policy would let the server through.
    var refusalLines: [String] { verdictLines + (advice.map { adviceLines($0) } ?? []) }
}

/// What a handshake settled, as a probe shows it.
struct ProbeConnection: Hashable, Sendable {
    /// What is offered by ALPN.
    static let offered = ["h2", "http/1.1"]

    /// The address and port at the other end of the socket: of the proxy, where there is one.
    var address: String
    /// `TLSv1.2` or `TLSv1.3`.
    var version: String?
    /// The IANA name of the cipher suite.
    var cipherSuite: String?
    /// What the server chose by ALPN.
    var applicationProtocol: String?

    init(_ facts: ConnectionFacts) {
        address = Printable.text(facts.remoteAddress)
        version = facts.tlsVersion
        cipherSuite = facts.cipherSuite
        applicationProtocol = facts.applicationProtocol.map { Printable.text($0) }
    }
}
