import HoldfastBase
import HoldfastTransport
import HoldfastTrust
import NIOCore

/// Probes servers one by one.
struct Prober: Sendable {
    /// The client's trust.
    var trust: ProbeTrust
    /// The roots of the system verification.
    var anchors: TrustAnchors = .system
    /// The expected result.
    var expectation: ProbeExpectation = .allow
    /// The thresholds for expiry warnings.
    var thresholds = ProbeThresholds()
    /// The time limit for each phase of a dial.
    var timeout: Duration = .seconds(10)
    /// The address to connect to instead of the host's.
    var connectTo: String?
    /// The proxy.
    var proxies: ProxySelection = .none
    /// The clock for the verdict.
    var clock: TrustClock = .system
    /// Checks whether the certificates were revoked; `nil` to fetch nothing. One value for all servers, so that they
    /// share its cache.
    var revocation: RevocationEvaluator?

    /// Probes a server: first records what it presents without judging, then connects as the client would.
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

    /// Records what a server presents, whatever it is.
    func survey(_ target: ProbeTarget) async -> DialSurvey {
        await DialSurvey.of(
            dialTarget(target), judges: judges, configuration: configuration(trust: .system(), for: target),
            deadlines: deadlines, on: NetworkDialler.eventLoops.next())
    }

    /// Connects as the client would. Skips this if the server cannot be reached. Does not skip it if the server closed
    /// the connection after sending its certificate, because a client that refuses the certificate does so earlier.
    private func outcome(
        of target: ProbeTarget, _ survey: DialSurvey
    ) async -> Result<ConnectionFacts, TransportError> {
        if case .failure = survey.connection, survey.verdicts.isEmpty { return survey.connection }
        return await dial(target, trust: clientTrust)
    }

    /// Connects with the given trust, and closes the connection.
    func dial(_ target: ProbeTarget, trust: TrustContext) async -> Result<ConnectionFacts, TransportError> {
        await DialSurvey.dial(
            dialTarget(target), configuration: configuration(trust: trust, for: target), deadlines: deadlines,
            on: NetworkDialler.eventLoops.next())
    }

    /// Builds the report from a survey and a client's connection, without expiry warnings.
    func report(
        on target: ProbeTarget, at now: Timestamp, _ survey: DialSurvey,
        _ result: Result<ConnectionFacts, TransportError>
    ) async -> ProbeReport {
        let evidence = await ProbeEvidence(
            survey, client: result, judges: judges, for: TrustSubject(host: target.host, port: target.port), at: now)
        var report = ProbeReport(target: target, time: now, expectation: expectation, outcome: ProbeOutcome(result))
        fill(&report, evidence)
        warn(&report, evidence)
        return report
    }

    private func fill(_ report: inout ProbeReport, _ evidence: ProbeEvidence) {
        let target = report.target
        report.connection = evidence.facts.map { ProbeConnection($0) }
        let pins = trust.pins(for: target.host, at: report.time)
        // The last verdict decides: the policy's, if there is one.
        let path = evidence.verdicts.last?.path ?? evidence.verdicts.first?.path
        report.certificates = ProbeCertificate.list(evidence.presented, path: path, pins: pins)
        if let presented = evidence.presented {
            report.sent = .init(count: presented.count, bytes: presented.byteCount)
            for bad in presented.unreadable {
                let reason = Printable.text(bad.error.reason)
                report.unreadable[bad.index] = reason
                report.warn(
                    .unreadableCertificate, "certificate \(bad.index) of the chain cannot be read: \(reason)",
                    detail: "\(bad.index)")
            }
        }
        report.verdicts = zip(["system", trust.name], evidence.verdicts).map { ProbeVerdict($1, judge: $0) }
        report.pins = pins.sorted
        // Sent certificates prove nothing: anyone can send a backup key's certificate.
        let leaf = evidence.presented?.leaf ?? path?.certificates.first
        let weighed = [leaf].compactMap(\.self) + (path?.certificates.dropFirst() ?? [])
        report.unseenPins = report.pins.filter { pin in
            !weighed.contains { PinSet([pin]).matches($0, isLeaf: $0 == leaf) }
        }
        report.policyExpires = trust.expires(for: target.host, at: report.time)
        report.rulePlace = trust.place(of: target.host, at: report.time)
        if let verdict = evidence.verdicts.last {
            report.advice = ProbeAdvice(
                verdict, target: target, trust: trust, route: route(to: target), at: report.time)
        }
    }

    private func warn(_ report: inout ProbeReport, _ evidence: ProbeEvidence) {
        if case .policy = trust, !trust.hasRule(for: report.target.host, at: report.time) {
            report.warn(.notInPolicy, "the policy has no rule for \(report.target.host)")
        }
        if report.advice != nil, evidence.verdicts.last?.permitsConnection == true {
            report.warn(.onlyReported, "no pin matches, but the policy only reports that")
        }
        for certificate in report.certificates where certificate.match == .unverified {
            report.warn(
                .pinNotVerified,
                "a pin names the key of \(certificate.subject), which is on no verified path: it does not count",
                detail: certificate.fingerprint.base64)
        }
        if case .certificates(let shelf) = trust {
            for name in shelf.pemFiles.map({ Printable.text($0) }) {
                report.warn(
                    .pemFile, "\(name) is PEM, which ChatSSLCertificate(contentsOf:) does not load: it is ignored",
                    detail: name)
            }
        }
        if evidence.isContradictory {
            report.warn(
                .differingAnswers,
                "the server answered two successive connections differently; the second one counts")
        }
    }

    // MARK: Dialling

    /// The judges of a survey: the system verification, then the client's trust if that is different.
    private var judges: [TrustContext] {
        if case .system = trust { return [clientTrust] }
        return [TrustContext.system(anchors: anchors).withoutVerdictCache(), clientTrust]
    }

    /// The client's trust, with the revocation check if there is one.
    private var clientTrust: TrustContext {
        let context = trust.context(anchors: anchors)
        return revocation.map { context.checkingRevocation(with: $0) } ?? context
    }

    /// Returns the route for `openssl s_client`.
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

    /// Returns the configuration of a client that connects with the given trust.
    func configuration(trust: TrustContext, for target: ProbeTarget) -> TransportConfiguration {
        var configuration = TransportConfiguration(
            trust: trust, clock: clock, connectTimeout: timeout, tlsTimeout: timeout,
            hostOverrides: connectTo.map { [target.host.text: $0] } ?? [:])
        configuration.proxies = proxies
        return configuration
    }
}

extension ProbeReport {
    fileprivate mutating func warn(_ code: ProbeWarning.Code, _ sentence: String, detail: String = "") {
        warnings.append(ProbeWarning(code: code, sentence: sentence, detail: detail))
    }
}

/// The evidence from two connections to a server: the survey and the client's connection. A report describes a single
/// connection: the client's, if the two differ.
struct ProbeEvidence: Sendable {
    /// The chain that the server sent; `nil` if no handshake got that far.
    var presented: PresentedChain?
    /// The verdicts, in the order of the judges; the last one decides. Empty if there was none.
    var verdicts: [TrustVerdict]
    /// The handshake's parameters; `nil` if there was no handshake, or no client kept the connection.
    var facts: ConnectionFacts?
    /// Whether the server answered the two connections differently.
    var isContradictory: Bool

    /// Compares a survey with the client's connection. If the server presented something else to the client, the
    /// survey's judges judge that as well.
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
            // The client came to no verdict, so the survey's verdict is used. The survey's connection may have
            // succeeded.
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
