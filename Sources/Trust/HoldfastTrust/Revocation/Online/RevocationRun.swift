/// Checks the certificates of a verified path and adds the outcomes to the verdict. Shared by the evaluators that ask
/// authorities.
struct RevocationRun: Sendable {
    var failure: OCSPOptions.Failure
    var scope: OCSPOptions.Scope
    /// The total time for all certificates.
    var timeout: Duration
    var wait: @Sendable (Duration) async throws -> Void
    /// Whether a good answer is reported as a notice.
    var reportsGood = false
    /// Determines the outcome for one certificate.
    var outcome: @Sendable (RevocationLink, Timestamp) async -> RevocationOutcome
    /// Returns a known revocation, which applies if no usable answer is available.
    var revocation: @Sendable (RevocationLink) -> OCSPAnswer?

    /// Checks the path of a verdict that accepted the server, and returns the resulting verdict.
    func checked(_ verdict: TrustVerdict) async -> TrustVerdict {
        let links = RevocationLink.all(of: verdict, scope)
        var outcomes = await outcomes(of: links, at: verdict.time)
        if links.isEmpty, let problem = RevocationRun.nothingToAsk(about: verdict) {
            outcomes = [.unavailable(RevocationFailure(problem))]
        }
        var verdict = verdict
        for (index, outcome) in outcomes.enumerated() {
            let link = links.indices.contains(index) ? links[index] : nil
            apply(outcome, to: link, &verdict)
        }
        return verdict
    }

    /// Runs the system verification unless another evaluator accepted the server, then checks the path.
    func judge(_ evaluation: EvaluationRequest, anchors: TrustAnchors?) -> TrustEvaluation {
        let verdict =
            evaluation.accepted
            ?? evaluation.engine.with(anchors: anchors).evaluate(
                evaluation.chain, for: evaluation.subject, at: evaluation.time, named: "revocation")
        guard verdict.permitsConnection else { return .now(verdict) }
        return .later { await checked(verdict) }
    }

    // MARK: - Results

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
    private func apply(_ outcome: RevocationOutcome, to link: RevocationLink?, _ verdict: inout TrustVerdict) {
        var facts = TrustFacts()
        facts.subject = link?.certificate.subject
        facts.issuer = link?.issuer.subject
        let name = link?.certificate.subject ?? "the server"
        let needsAnswer = failure == .hard || link?.pointers.asksForStaple == true
        if link?.pointers.asksForStaple == true {
            verdict.notices.append(
                TrustFinding(
                    .stapleNotVisible, "\(name) requires a stapled OCSP answer, which is not available here.",
                    facts: facts))
        }
        switch outcome {
        case .good(let source):
            guard reportsGood else { break }
            verdict.notices.append(TrustFinding(.notRevoked, "\(name) was not revoked: \(source).", facts: facts))
        case .revoked(let entry):
            let reason = entry.reason.map { " (\($0.rawValue))" } ?? ""
            facts.revokedAt = entry.time
            facts.revocationReason = entry.reason
            refuse(&verdict, TrustFinding(.revoked, "\(name) was revoked at \(entry.time)\(reason).", facts: facts))
        case .unknown:
            refuse(
                &verdict,
                TrustFinding(.revocationUnknown, "The responder does not know \(name).", facts: facts))
        case .exempt(let reason):
            verdict.notices.append(
                TrustFinding(
                    .revocationExempt, "The revocation of \(name) was not checked: \(reason).", facts: facts))
        case .unavailable(let failure):
            let finding = TrustFinding(
                failure.finding,
                "The revocation status of \(name) is unknown (\(failure.code)): \(failure.reason).", facts: facts)
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
        case outcome(Int, RevocationOutcome)
        case timeUp
    }

    /// Returns one outcome for each link, within one timeout for all of them.
    private func outcomes(of links: [RevocationLink], at time: Timestamp) async -> [RevocationOutcome] {
        guard !links.isEmpty else { return [] }
        return await withTaskGroup(of: Event.self) { group in
            for (index, link) in links.enumerated() {
                group.addTask { .outcome(index, await outcome(link, time)) }
            }
            group.addTask {
                try? await wait(timeout)
                return .timeUp
            }
            let late = RevocationFailure(OCSPError(.timedOut, "no answer arrived within \(timeout)"))
            var outcomes = [RevocationOutcome](repeating: .unavailable(late), count: links.count)
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
    private func inForce(_ link: RevocationLink, _ outcome: RevocationOutcome) -> RevocationOutcome {
        switch outcome {
        case .unavailable, .exempt:
            guard let known = revocation(link) else { return outcome }
            return RevocationOutcome(known, source: "a known answer")
        default: return outcome
        }
    }
}

/// Attempts to get an answer about one certificate from several sources, in order.
struct RevocationAttempts: Sendable {
    typealias Attempt = @Sendable () async -> RevocationOutcome

    /// The time after which the next source is asked although the previous one has not answered.
    var share: Duration
    var wait: @Sendable (Duration) async throws -> Void

    private enum Step: Sendable {
        case outcome(RevocationOutcome)
        case shareIsUp
    }

    /// Returns the first usable answer, or the last failure. A source that does not answer delays the next request by
    /// its share of the time. A source that fails causes no delay. All queried sources may still answer.
    func first(_ attempts: [Attempt], otherwise: RevocationOutcome) async -> RevocationOutcome {
        var waiting = attempts[...]
        return await withTaskGroup(of: Step.self) { group in
            var asked = 0
            func askNext(_ group: inout TaskGroup<Step>) {
                guard let attempt = waiting.popFirst() else { return }
                asked += 1
                group.addTask { .outcome(await attempt()) }
                guard !waiting.isEmpty else { return }
                group.addTask {
                    try? await wait(share)
                    return .shareIsUp
                }
            }
            askNext(&group)
            var last = otherwise
            while asked > 0, let step = await group.next() {
                guard case .outcome(let outcome) = step else {
                    askNext(&group)
                    continue
                }
                last = outcome
                guard case .unavailable = outcome else { break }
                asked -= 1
                askNext(&group)
            }
            group.cancelAll()
            return last
        }
    }
}
