import HoldfastBase

/// Runs system verification, then asks the authorities whether a certificate of the verified path was revoked (OCSP,
/// RFC 6960).
///
/// The certificates and the addresses of the responders come from the verified path, not from other certificates that
/// the server presents. Answers are cached until they expire, in one cache for all copies of this value. A revocation
/// stays in force until a newer verified answer reports the certificate as good, also in soft fail.
///
/// In ``CompositeEvaluator/all(_:)`` after evaluators that pin, this evaluator checks the path that they accepted.
/// Stapled answers are not used, because NIOSSL does not expose them.
public struct OCSPRevocationEvaluator: ContextEvaluator {
    private let requester: any OCSPRequester
    private let options: OCSPOptions
    private let anchors: TrustAnchors?
    private let clock: TrustClock
    private let wait: @Sendable (Duration) async throws -> Void
    private let cache: OCSPAnswerCache

    /// Creates an evaluator that sends its requests with `requester`. Paths end in `anchors`, in the anchors of the
    /// context that uses the evaluator, or in the machine's roots.
    public init(
        requester: any OCSPRequester, options: OCSPOptions = OCSPOptions(), anchors: TrustAnchors? = nil,
        clock: TrustClock = .system
    ) {
        self.init(requester: requester, options: options, anchors: anchors, clock: clock) {
            try await ContinuousClock().sleep(for: $0)  // reason: the only place that waits; tests replace it
        }
    }

    package init(
        requester: any OCSPRequester, options: OCSPOptions, anchors: TrustAnchors? = nil, clock: TrustClock = .system,
        wait: @escaping @Sendable (Duration) async throws -> Void
    ) {
        self.requester = requester
        self.options = options
        self.anchors = anchors
        self.clock = clock
        self.wait = wait
        self.cache = OCSPAnswerCache(capacity: options.cachedAnswers)
    }

    /// Returns if the chain is valid for the host and no certificate on its path was revoked. Otherwise throws
    /// ``TrustRefusal``.
    public func evaluate(_ trust: ServerTrust, forHost host: String) async throws {
        let verdict = await (try judge(trust, host: host, anchors: anchors, clock: clock)).verdict()
        guard verdict.permitsConnection else { throw TrustRefusal(verdict) }
    }

    package func judge(_ evaluation: EvaluationRequest) -> TrustEvaluation {
        let verdict =
            evaluation.accepted
            ?? TrustEngine(anchors: anchors ?? evaluation.anchors).evaluate(
                evaluation.chain, for: evaluation.subject, at: evaluation.time, named: "revocation")
        guard verdict.permitsConnection else { return .now(verdict) }
        return .later { await checked(verdict) }
    }

    /// Checks the path of a verdict that accepted the server, and returns the resulting verdict.
    func checked(_ verdict: TrustVerdict) async -> TrustVerdict {
        let links = links(of: verdict)
        var outcomes = await outcomes(of: links, at: verdict.time)
        if links.isEmpty, let problem = OCSPRevocationEvaluator.nothingToAsk(about: verdict) {
            outcomes = [.unavailable(problem)]
        }
        var verdict = verdict
        for (index, outcome) in outcomes.enumerated() {
            let link = links.indices.contains(index) ? links[index] : nil
            apply(outcome, to: link, &verdict)
        }
        return verdict
    }

    // MARK: - Results

    /// A certificate below the anchor, with its issuer on the path.
    private struct Link: Sendable {
        var certificate: CertificateView
        var issuer: CertificateView
        var pointers: RevocationPointers
    }

    private enum Outcome: Sendable {
        case answered(OCSPStatus)
        case unavailable(OCSPError)
    }

    private func links(of verdict: TrustVerdict) -> [Link] {
        guard let path = verdict.path?.certificates else { return [] }
        var all = zip(path, path.dropFirst()).map {
            Link(certificate: $0, issuer: $1, pointers: RevocationPointers($0))
        }
        // In the certificate of an authority, the must-staple extension applies to the certificates that it issues (RFC
        // 7633, 4.2.2).
        for index in all.indices.dropFirst() { all[index].pointers.asksForStaple = false }
        return options.scope == .path ? all : Array(all.prefix(1))
    }

    /// Returns the reason why no certificate can be checked, if this is an error. For a trusted self-signed certificate
    /// it is not: the certificate is an anchor, and an anchor is revoked by removing it from the list.
    private static func nothingToAsk(about verdict: TrustVerdict) -> OCSPError? {
        guard let path = verdict.path?.certificates, let only = path.first else {
            return OCSPError(.noResponder, "there is no verified path")
        }
        return only.isSelfIssued
            ? nil : OCSPError(.noResponder, "the path contains no issuer to verify an answer with")
    }

    /// Adds the outcome of one check to the verdict. An existing refusal stays unless the outcome is a revocation,
    /// which takes precedence.
    private func apply(_ outcome: Outcome, to link: Link?, _ verdict: inout TrustVerdict) {
        var facts = TrustFacts()
        facts.subject = link?.certificate.subject
        facts.issuer = link?.issuer.subject
        let name = link?.certificate.subject ?? "the server"
        let needsAnswer = options.failure == .hard || link?.pointers.asksForStaple == true
        if link?.pointers.asksForStaple == true {
            verdict.notices.append(
                TrustFinding(
                    .stapleNotVisible, "\(name) requires a stapled OCSP answer, which is not available here.",
                    facts: facts))
        }
        switch outcome {
        case .answered(.good): break
        case .answered(.revoked(let instant)):
            facts.revokedAt = instant
            refuse(&verdict, TrustFinding(.revoked, "\(name) was revoked at \(instant).", facts: facts))
        case .answered(.unknown):
            refuse(
                &verdict,
                TrustFinding(.revocationUnknown, "The responder does not know \(name).", facts: facts))
        case .unavailable(let error):
            let finding = TrustFinding(
                .revocationUnavailable,
                "The revocation status of \(name) is unknown (\(error.code.rawValue)): \(error.reason).", facts: facts)
            if needsAnswer { refuse(&verdict, finding) } else { verdict.notices.append(finding) }
        }
    }

    private func refuse(_ verdict: inout TrustVerdict, _ finding: TrustFinding) {
        let isFirst = verdict.decision != .block
        if isFirst || (finding.code == .revoked && verdict.finding.code != .revoked) {
            if !isFirst { verdict.notices.append(verdict.finding) }
            verdict.finding = finding
        } else {
            verdict.notices.append(finding)
        }
        verdict.decision = .block
    }

    // MARK: - Requests

    private enum Event: Sendable {
        case outcome(Int, Outcome)
        case timeUp
    }

    /// Returns one outcome for each link, within one timeout for all of them.
    private func outcomes(of links: [Link], at time: Timestamp) async -> [Outcome] {
        guard !links.isEmpty else { return [] }
        return await withTaskGroup(of: Event.self) { group in
            for (index, link) in links.enumerated() {
                group.addTask { .outcome(index, await outcome(of: link, at: time)) }
            }
            group.addTask {
                try? await wait(options.timeout)
                return .timeUp
            }
            let late = OCSPError(.timedOut, "no answer arrived within \(options.timeout)")
            var outcomes = [Outcome](repeating: .unavailable(late), count: links.count)
            var missing = links.count
            for await event in group {
                guard case .outcome(let index, let outcome) = event else { break }
                outcomes[index] = outcome
                missing -= 1
                if missing == 0 { break }
            }
            group.cancelAll()
            return zip(links, outcomes).map(inForce)
        }
    }

    /// Returns a known revocation if the outcome is not a usable answer.
    private func inForce(_ link: Link, _ outcome: Outcome) -> Outcome {
        let key = OCSPAnswerCache.Key(link.certificate, issuer: link.issuer)
        guard case .unavailable = outcome, let known = cache.revocation(for: key) else { return outcome }
        return .answered(known.status)
    }

    private func outcome(of link: Link, at time: Timestamp) async -> Outcome {
        let key = OCSPAnswerCache.Key(link.certificate, issuer: link.issuer)
        if let known = cache.answer(for: key, at: time) { return .answered(known.status) }
        return await firstAnswer(about: link, from: link.pointers.responders, key, at: time)
    }

    private enum Step: Sendable {
        case outcome(Outcome)
        case shareIsUp
    }

    /// Returns the first answer that passes verification. A responder that does not answer delays the next request by
    /// an equal part of the time. A responder that fails causes no delay. All queried responders may still answer.
    private func firstAnswer(
        about link: Link, from responders: [String], _ key: OCSPAnswerCache.Key, at time: Timestamp
    ) async -> Outcome {
        var waiting = responders[...]
        let share = options.timeout / max(1, responders.count)
        return await withTaskGroup(of: Step.self) { group in
            var asked = 0
            func askNext(_ group: inout TaskGroup<Step>) {
                guard let url = waiting.popFirst() else { return }
                asked += 1
                group.addTask { .outcome(await answer(about: link, from: url, key, at: time)) }
                guard !waiting.isEmpty else { return }
                group.addTask {
                    try? await wait(share)
                    return .shareIsUp
                }
            }
            askNext(&group)
            var last = Outcome.unavailable(
                OCSPError(.noResponder, "the certificate names no usable responder"))
            while asked > 0, let step = await group.next() {
                guard case .outcome(let outcome) = step else {
                    askNext(&group)
                    continue
                }
                last = outcome
                if case .answered = outcome { break }
                asked -= 1
                askNext(&group)
            }
            group.cancelAll()
            return last
        }
    }

    private func answer(
        about link: Link, from url: String, _ key: OCSPAnswerCache.Key, at time: Timestamp
    ) async -> Outcome {
        let request = OCSPRequest(
            certificateID: OCSPCertificateID(link.certificate, issuer: link.issuer, hash: options.hash),
            nonce: options.nonce?())
        let bytes: [UInt8]
        do {
            bytes = try await requester.response(to: request.der, at: url)
        } catch {
            return .unavailable(OCSPError(.unreachable, Printable.text("\(error)")))
        }
        do throws(OCSPError) {
            let verification = OCSPVerification(
                certificate: link.certificate, issuer: link.issuer, nonce: request.nonce, time: time,
                maximumAge: options.maximumAge.components.seconds)
            let answer = try verification.answer(try OCSPResponse(der: bytes))
            return .answered(cache.store(answer, for: key).status)
        } catch {
            return .unavailable(error)
        }
    }
}
