import HoldfastTransport
import HoldfastTrust

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
