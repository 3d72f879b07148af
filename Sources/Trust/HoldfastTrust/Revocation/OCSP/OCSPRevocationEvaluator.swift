import HoldfastBase

/// System verification, then a question to the authorities: was a certificate of the verified path revoked?
///
/// Nothing is asked about what a server merely presents: the certificates and the addresses of the responders come from
/// the verified path. Answers are kept until they are due to be replaced (in one cache for all copies of this value); a
/// revocation stays in force until a newer verified answer says that the certificate is good, in soft fail, too.
/// In ``CompositeEvaluator/all(_:)``, behind evaluators that pin, the path that those accepted is checked.
/// Stapled answers are not looked at: NIOSSL does not show them.
public struct OCSPRevocationEvaluator: ContextEvaluator {
    private let requester: any OCSPRequester
    private let options: OCSPOptions
    private let anchors: TrustAnchors?
    private let clock: TrustClock
    private let wait: @Sendable (Duration) async throws -> Void
    private let cache: OCSPAnswerCache

    /// Asks through `requester`. Paths end in the machine's roots, or in the anchors of the context that the evaluator is
    /// used in, or in `anchors`.
    public init(
        requester: any OCSPRequester, options: OCSPOptions = OCSPOptions(), anchors: TrustAnchors? = nil,
        clock: TrustClock = .system
    ) {
        self.init(requester: requester, options: options, anchors: anchors, clock: clock) {

            try await ContinuousClock().sleep(for: $0)  // reason: the edge where waiting happens; tests hand in another
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

    /// Returns if the chain is valid for the host and nothing on its path was revoked; else throws ``TrustRefusal``.
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

    /// The verdict of a verification that accepted the server, after its path was asked about.
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

    // MARK: - What follows

    /// A certificate below the anchor, with the one above it.
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
        // In an authority's certificate the wish is about those that it issues (RFC 7633, 4.2.2).
        for index in all.indices.dropFirst() { all[index].pointers.asksForStaple = false }
        return options.scope == .path ? all : Array(all.prefix(1))
    }

    /// Why there is nobody to ask, where that is a lack. A self-signed certificate that is trusted as such is an anchor,
    /// and an anchor is withdrawn by taking it off the list.
    private static func nothingToAsk(about verdict: TrustVerdict) -> OCSPError? {
        guard let path = verdict.path?.certificates, let only = path.first else {
            return OCSPError(.noResponder, "there is no verified path")
        }
        return only.isSelfIssued
            ? nil : OCSPError(.noResponder, "the path names no issuer whose answer could be verified")
    }

    /// Adds what came out of one question. A refusal that is there already stays, unless a revocation outranks it.
    private func apply(_ outcome: Outcome, to link: Link?, _ verdict: inout TrustVerdict) {
        var facts = TrustFacts()
        facts.subject = link?.certificate.subject
        facts.issuer = link?.issuer.subject
        let name = link?.certificate.subject ?? "the server"
        let needsAnswer = options.failure == .hard || link?.pointers.asksForStaple == true
        if link?.pointers.asksForStaple == true {
            verdict.notices.append(
                TrustFinding(
                    .stapleNotVisible, "\(name) asks for a stapled OCSP answer, which is not visible here.",
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
                "Whether \(name) was revoked cannot be told (\(error.code.rawValue)): \(error.reason).", facts: facts)
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

    // MARK: - Asking

    private enum Event: Sendable {
        case outcome(Int, Outcome)
        case timeUp
    }

    /// One outcome for each link, within one time-out for all of them.
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
            let late = OCSPError(.timedOut, "there was no answer within \(options.timeout)")
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

    /// Without an answer that can be relied on, a revocation that was seen before stays in force.
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

    /// The first answer that verifies. A responder that is silent costs the next one an equal part of the time, and one that
    /// fails costs none; all that were asked may still answer.
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
                OCSPError(.noResponder, "the certificate names no responder that can be asked"))
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
