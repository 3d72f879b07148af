import HoldfastBase
import HoldfastTransport
import HoldfastTrust

/// The result of probing one server. All text is safe to print.
struct ProbeReport: Hashable, Sendable {
    /// The server.
    var target: ProbeTarget
    /// The time of the verdict.
    var time: Timestamp
    /// The duration of the probe.
    var duration: Duration = .zero
    /// The expected result.
    var expectation: ProbeExpectation = .allow
    /// The outcome of the connection with the configured trust.
    var outcome: ProbeOutcome
    /// The handshake's parameters; `nil` if there was none.
    var connection: ProbeConnection?
    /// The sent certificates, then those that were added to build the path.
    var certificates: [ProbeCertificate] = []
    /// The sent certificates that cannot be read: position and reason.
    var unreadable: [Int: String] = [:]
    /// The number and size of the sent certificates.
    var sent = Sent(count: 0, bytes: 0)
    /// The verdicts: the system verification's, then the policy's if there is one.
    var verdicts: [ProbeVerdict] = []
    /// The pins for the host, in a stable order.
    var pins: [Pin] = []
    /// The pins that match neither the server's own certificate nor one on the verified path: backup keys or old keys.
    var unseenPins: [Pin] = []
    /// When the policy's rule for the host expires.
    var policyExpires: Timestamp?
    /// The place of the rule in the policy file.
    var rulePlace: ProbeRulePlace?
    /// How to fix the policy if no pin matches.
    var advice: ProbeAdvice?
    /// The warnings.
    var warnings: [ProbeWarning] = []
    /// The result of the two-way check, if it ran.
    var twoWay: TwoWayReport?

    /// The number and size of a chain's certificates.
    struct Sent: Hashable, Sendable {
        var count: Int
        var bytes: Int
    }

    /// Whether the result is as expected; `nil` if there is no verdict.
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

    /// The server's own certificate, if it could be read.
    var leaf: ProbeCertificate? { certificates.first { $0.isLeaf } }

    /// The server's own certificate and those of the verified path, without duplicates. Other sent certificates have no
    /// influence and could be arbitrary.
    var weighed: [ProbeCertificate] {
        var seen: Set<CertificateDigest> = []
        return certificates.filter {
            ($0.isLeaf || $0.pathPosition != nil) && seen.insert($0.fingerprint).inserted
        }
    }

    /// The smallest number of remaining days among them.
    var fewestDays: Int64? { weighed.compactMap { $0.daysLeft(at: time) }.min() }

    /// Returns the exit code for several servers. An unexpected result takes precedence over a missing verdict.
    static func status(of reports: [ProbeReport]) -> ToolStatus {
        let all = Set(reports.map(\.status))
        return all.contains(.failure) ? .failure : all.contains(.unreachable) ? .unreachable : .success
    }
}

extension ProbeReport {
    /// Describes a refused connection of a client.
    ///
    /// - Parameter prober: The client's trust, roots and clock.
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

    /// The lines about a refusal: the verdict, and how to change the policy to accept the server.
    var refusalLines: [String] { verdictLines() + (advice.map { adviceLines($0) } ?? []) }
}

/// The handshake's parameters in a probe's report.
struct ProbeConnection: Hashable, Sendable {
    /// The protocols that are offered by ALPN.
    static let offered = ["h2", "http/1.1"]

    /// The address and port of the peer; of the proxy if there is one.
    var address: String
    /// `TLSv1.2` or `TLSv1.3`.
    var version: String?
    /// The IANA name of the cipher suite.
    var cipherSuite: String?
    /// The protocol that the server chose by ALPN.
    var applicationProtocol: String?

    init(_ facts: ConnectionFacts) {
        address = Printable.text(facts.remoteAddress)
        version = facts.tlsVersion
        cipherSuite = facts.cipherSuite
        applicationProtocol = facts.applicationProtocol.map { Printable.text($0) }
    }
}
