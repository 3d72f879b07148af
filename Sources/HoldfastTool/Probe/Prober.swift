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
    /// Whether the check with an impostor is made, which ``ProbeTrust/certificates(_:)`` alone has.
    var makesTwoWayCheck = false

    /// Probes a server: looks at it first, whatever it shows, and then connects as the client would.
    func probe(_ target: ProbeTarget) async -> ProbeReport {
        let start = ContinuousClock.now
        let now = clock.now()
        let system = TrustContext.system(anchors: anchors).withoutVerdictCache()
        var judges = [system]
        if case .system = trust {} else { judges.append(trust.context(anchors: anchors)) }
        let survey = await DialSurvey.of(
            dialTarget(target), judges: judges, configuration: configuration(trust: system, for: target),
            deadlines: deadlines, on: NetworkDialler.eventLoops.next())
        var report = ProbeReport(
            target: target, time: now, expectation: expectation, outcome: .allowed)
        let result = await outcome(of: target, survey)
        report.outcome = ProbeOutcome(result)
        fill(&report, survey, result)
        if makesTwoWayCheck, case .certificates(let shelf) = trust {
            report.twoWay = await TwoWayCheck(shelf: shelf, prober: self).report(on: target, server: report.outcome)
        }
        report.warnings += thresholds.warnings(on: report)
        report.duration = start.duration(to: .now)
        return report
    }

    /// Connects as the client would. A server that cannot be reached is not asked twice.
    private func outcome(
        of target: ProbeTarget, _ survey: DialSurvey
    ) async -> Result<ConnectionFacts, TransportError> {
        if case .failure = survey.connection { return survey.connection }
        return await dial(target, trust: trust.context(anchors: anchors))
    }

    /// Connects by some trust, and closes the connection.
    func dial(_ target: ProbeTarget, trust: TrustContext) async -> Result<ConnectionFacts, TransportError> {
        await DialSurvey.dial(
            dialTarget(target), configuration: configuration(trust: trust, for: target), deadlines: deadlines,
            on: NetworkDialler.eventLoops.next())
    }

    private func fill(
        _ report: inout ProbeReport, _ survey: DialSurvey, _ result: Result<ConnectionFacts, TransportError>
    ) {
        let target = report.target
        if case .success(let facts) = survey.connection { report.connection = ProbeConnection(facts) }
        let pins = trust.pins(for: target.host, at: report.time)
        // The last judge is the one that counts: the policy, where there is one.
        let path = survey.verdicts.last?.path ?? survey.verdicts.first?.path
        report.certificates = ProbeCertificate.list(survey.presented, path: path, pins: pins)
        if let presented = survey.presented {
            report.sent = (presented.count, presented.byteCount)
            for bad in presented.unreadable {
                report.unreadable[bad.index] = Printable.text(bad.error.reason)
                report.warnings.append(
                    ProbeWarning(
                        code: .unreadableCertificate,
                        sentence: "certificate \(bad.index) of the chain cannot be read: "
                            + Printable.text(bad.error.reason), detail: "\(bad.index)"))
            }
        }
        report.verdicts = zip(["system", trust.name], survey.verdicts).map { ProbeVerdict($1, judge: $0) }
        report.pins = pins.sorted
        let views = (survey.presented?.certificates ?? []) + (path?.certificates ?? [])
        let leaf = survey.presented?.leaf
        report.unseenPins = report.pins.filter { pin in
            !views.contains { PinSet([pin]).matches($0, isLeaf: $0 == leaf) }
        }
        report.policyExpires = trust.expires(for: target.host, at: report.time)
        if let verdict = survey.verdicts.last {
            report.advice = ProbeAdvice(verdict, target: target, trust: trust, at: report.time)
        }
        warn(&report, survey, result)
    }

    private func warn(
        _ report: inout ProbeReport, _ survey: DialSurvey, _ result: Result<ConnectionFacts, TransportError>
    ) {
        if case .policy = trust, trust.rules(for: report.target.host, at: report.time).allSatisfy(\.isExcluded) {
            report.warnings.append(
                ProbeWarning(
                    code: .notInPolicy, sentence: "no rule of the policy pins \(report.target.host)"))
        }
        if report.advice != nil, survey.verdicts.last?.permitsConnection == true {
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
                    code: .pemFile, sentence: "\(name) is PEM, which ChatSSLCertificate(contentsOf:) does not load",
                    detail: name)
            }
        }
        if let judged = survey.verdicts.last, case .success = survey.connection,
            ProbeOutcome(result).permits != judged.permitsConnection
        {
            report.warnings.append(
                ProbeWarning(
                    code: .differingAnswers,
                    sentence: "the server answered two connections in a row otherwise; the second one counts"))
        }
    }

    // MARK: Dialling

    private var deadlines: DialDeadlines { DialDeadlines(connect: timeout, tls: timeout) }

    private func dialTarget(_ target: ProbeTarget) -> DialTarget {
        DialTarget(host: target.host, port: target.port, security: .tls(alpn: ProbeConnection.offered))
    }

    private func configuration(trust: TrustContext, for target: ProbeTarget) -> TransportConfiguration {
        var configuration = TransportConfiguration(
            trust: trust, clock: clock, connectTimeout: timeout, tlsTimeout: timeout,
            hostOverrides: connectTo.map { [target.host.text: $0] } ?? [:])
        configuration.proxies = proxies
        return configuration
    }
}
