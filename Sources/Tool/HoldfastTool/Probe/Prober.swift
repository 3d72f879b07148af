import HoldfastBase
import HoldfastTransport
import HoldfastTrust
import NIOCore

/// Probes servers one by one. Everything that it depends on is handed in.
struct Prober: Sendable {
    /// What the client would trust.
    var trust: ProbeTrust
    /// The roots of the system verification.
    var anchors: TrustAnchors = .system
    /// What is expected.
    var expectation: ProbeExpectation = .allow
    /// When warnings begin.
    var thresholds = ProbeThresholds()
    /// How long each phase of a dial may take.
    var timeout: Duration = .seconds(10)
    /// The address that is dialled in place of the host.
    var connectTo: String?
    /// The proxy.
    var proxies: ProxySelection = .none
    /// The time to go by.
    var clock: TrustClock = .system
    /// Probes a server: looks at it first, whatever it shows, and then connects as the client would.
    func probe(_ target: ProbeTarget) async -> ProbeReport {
        let start = ContinuousClock.now
        let now = clock.now()
        let survey = await survey(target)
        var report = await report(on: target, at: now, survey, await outcome(of: target, survey))
        if case .certificates(let shelf) = trust {
            report.twoWay = await TwoWayCheck(shelf: shelf, prober: self).report(on: target, server: report.outcome)
        }
        report.warnings += thresholds.warnings(on: report)
        report.duration = start.duration(to: .now)
        return report
    }

    /// Looks at a server, whatever it shows.
    func survey(_ target: ProbeTarget) async -> DialSurvey {
        await DialSurvey.of(
            dialTarget(target), judges: judges, configuration: configuration(trust: .system(), for: target),
            deadlines: deadlines, on: NetworkDialler.eventLoops.next())
    }

    /// Connects as the client would. A server that cannot be reached is not asked twice; one that breaks off behind its
    /// certificate is, since a client that refuses its certificate does so first.
    private func outcome(
        of target: ProbeTarget, _ survey: DialSurvey
    ) async -> Result<ConnectionFacts, TransportError> {
        if case .failure = survey.connection, survey.verdicts.isEmpty { return survey.connection }
        return await dial(target, trust: trust.context(anchors: anchors))
    }

    /// Connects by some trust, and closes the connection.
    func dial(_ target: ProbeTarget, trust: TrustContext) async -> Result<ConnectionFacts, TransportError> {
        await DialSurvey.dial(
            dialTarget(target), configuration: configuration(trust: trust, for: target), deadlines: deadlines,
            on: NetworkDialler.eventLoops.next())
    }

    /// Describes what a survey and a client's connection came to, the ends of certificates left out.
    func report(
        on target: ProbeTarget, at now: Timestamp, _ survey: DialSurvey,
        _ result: Result<ConnectionFacts, TransportError>
    ) async -> ProbeReport {
        let evidence = await ProbeEvidence(
            survey, client: result, judges: judges, for: TrustSubject(host: target.host, port: target.port), at: now)
        var report = ProbeReport(
            target: target, time: now, expectation: expectation, outcome: ProbeOutcome(result))
        fill(&report, evidence)
        warn(&report, evidence)
        return report
    }

    private func fill(_ report: inout ProbeReport, _ evidence: ProbeEvidence) {
        let target = report.target
        report.connection = evidence.facts.map { ProbeConnection($0) }
        let pins = trust.pins(for: target.host, at: report.time)
        // The last judge is the one that counts: the policy, where there is one.
        let path = evidence.verdicts.last?.path ?? evidence.verdicts.first?.path
        report.certificates = ProbeCertificate.list(evidence.presented, path: path, pins: pins)
        if let presented = evidence.presented {
            report.sent = .init(count: presented.count, bytes: presented.byteCount)
            for bad in presented.unreadable {
                report.unreadable[bad.index] = Printable.text(bad.error.reason)
                report.warnings.append(
                    ProbeWarning(
                        code: .unreadableCertificate,
                        sentence: "certificate \(bad.index) of the chain cannot be read: "
                            + Printable.text(bad.error.reason), detail: "\(bad.index)"))
            }
        }
        report.verdicts = zip(["system", trust.name], evidence.verdicts).map { ProbeVerdict($1, judge: $0) }
        report.pins = pins.sorted
        // What was merely sent along proves nothing: anyone can send a backup's certificate.
        let leaf = evidence.presented?.leaf ?? path?.certificates.first
        let weighed = [leaf].compactMap(\.self) + (path?.certificates.dropFirst() ?? [])
        report.unseenPins = report.pins.filter { pin in
            !weighed.contains { PinSet([pin]).matches($0, isLeaf: $0 == leaf) }
        }
        report.policyExpires = trust.expires(for: target.host, at: report.time)
        if let verdict = evidence.verdicts.last {
            report.advice = ProbeAdvice(
                verdict, target: target, trust: trust, route: route(to: target), at: report.time)
        }
    }

    private func warn(_ report: inout ProbeReport, _ evidence: ProbeEvidence) {
        if case .policy = trust, trust.rules(for: report.target.host, at: report.time).allSatisfy(\.isExcluded) {
            report.warnings.append(
                ProbeWarning(
                    code: .notInPolicy, sentence: "no rule of the policy pins \(report.target.host)"))
        }
        if report.advice != nil, evidence.verdicts.last?.permitsConnection == true {
            report.warnings.append(
                ProbeWarning(
                    code: .onlyReported, sentence: "no pin matches, and the policy lets that through with a report"))
        }
        for certificate in report.certificates where certificate.match == .unverified {
            report.warnings.append(
                ProbeWarning(
                    code: .pinNotVerified,
                    sentence: "a pin names the key of \(certificate.subject), which is on no verified path: "
                        + "it does not count", detail: certificate.fingerprint.base64))
        }
        if case .certificates(let shelf) = trust {
            report.warnings += shelf.pemFiles.map { name in
                let name = Printable.text(name)
                return ProbeWarning(
                    code: .pemFile,
                    sentence: "\(name) is PEM, which ChatSSLCertificate(contentsOf:) does not load: it is left out",
                    detail: name)
            }
        }
        if evidence.isContradictory {
            report.warnings.append(
                ProbeWarning(
                    code: .differingAnswers,
                    sentence: "the server answered two connections in a row otherwise; the second one counts"))
        }
    }

    // MARK: Dialling

    /// Who judges in a survey: the system verification, then what the client trusts, where that is something else.
    private var judges: [TrustContext] {
        let system = TrustContext.system(anchors: anchors).withoutVerdictCache()
        if case .system = trust { return [system] }
        return [system, trust.context(anchors: anchors)]
    }

    /// How `openssl s_client` is told to go the same way.
    func route(to target: ProbeTarget) -> ProbeAdvice.Route {
        var address = target
        if let connectTo, let host = try? CanonicalHost(connectTo) { address.host = host }
        let proxy = proxies.proxy(for: target.host, port: target.port, isSecure: true)
        return ProbeAdvice.Route(
            address: address,
            proxy: proxy?.kind == .http ? proxy.map { ProbeTarget(host: $0.host, port: $0.port) } : nil)
    }

    private var deadlines: DialDeadlines { DialDeadlines(connect: timeout, tls: timeout) }

    private func dialTarget(_ target: ProbeTarget) -> DialTarget {
        DialTarget(host: target.host, port: target.port, security: .tls(alpn: ProbeConnection.offered))
    }

    /// What a client is made of that connects as this one.
    func configuration(trust: TrustContext, for target: ProbeTarget) -> TransportConfiguration {
        var configuration = TransportConfiguration(
            trust: trust, clock: clock, connectTimeout: timeout, tlsTimeout: timeout,
            hostOverrides: connectTo.map { [target.host.text: $0] } ?? [:])
        configuration.proxies = proxies
        return configuration
    }
}

/// What two connections to a server have shown: the look at it, and a client's. What a report says is of one and the same
/// connection: of the client's, where the two were answered otherwise.
struct ProbeEvidence: Sendable {
    /// What the server sent; `nil` if no handshake got that far.
    var presented: PresentedChain?
    /// The verdicts, in the order of the judges; the last one counts. Empty if none was asked.
    var verdicts: [TrustVerdict]
    /// What the handshake settled; `nil` if there was none, or none that a client kept.
    var facts: ConnectionFacts?
    /// Whether the server answered the two connections otherwise.
    var isContradictory: Bool

    /// Compares a survey with what a client's connection came to. The judges are those of the survey: they judge once more
    /// where the server shows the client something else.
    init(
        _ survey: DialSurvey, client: Result<ConnectionFacts, TransportError>, judges: [TrustContext],
        for subject: TrustSubject, at now: Timestamp
    ) async {
        presented = survey.presented
        verdicts = survey.verdicts
        var decided: TrustVerdict?
        var seen: ConnectionFacts?
        if case .success(let found) = survey.connection { seen = found }
        facts = seen
        switch client {
        case .success(let found):
            facts = found
            decided = found.verdict
        case .failure(let error):
            if error.phase != .proxy { decided = error.verdict }
        }
        guard let decided, let shown = decided.presented else {
            // The client came to no verdict; there is nothing but the survey, and that may have stood.
            isContradictory = seen != nil
            return
        }
        isContradictory =
            shown != survey.presented || decided.permitsConnection != survey.verdicts.last?.permitsConnection
        guard isContradictory else { return }
        presented = shown
        verdicts = []
        for judge in judges.dropLast() { verdicts.append(await judge.judge(shown, for: subject, at: now).verdict()) }
        verdicts.append(decided)
        if case .failure = client { facts = nil }
    }
}
