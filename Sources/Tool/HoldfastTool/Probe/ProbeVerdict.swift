import HoldfastTrust

/// A verdict on a server as a probe shows it. All text is safe to print.
struct ProbeVerdict: Hashable, Sendable {
    /// A finding: its code and its sentence.
    struct Finding: Hashable, Sendable {
        var code: String
        var reason: String

        init(_ finding: TrustFinding) {
            code = finding.code.rawValue
            reason = Printable.text(finding.reason)
        }
    }

    /// What judged: `system`, or the policy's name.
    var judge: String
    /// Whether a connection may be used.
    var permits: Bool
    /// What follows: `allow`, `block`, `notPinned`.
    var decision: String
    /// What the judge found.
    var finding: Finding
    /// The code of what decided: that of the system verification, where no pin applies and it refuses the server.
    var decidingCode: String
    /// What the system verification found, where it is something else.
    var system: Finding?
    /// What did not decide.
    var notices: [Finding]

    init(_ verdict: TrustVerdict, judge: String) {
        self.judge = Printable.text(judge)
        permits = verdict.permitsConnection
        decision = verdict.decision.rawValue
        finding = Finding(verdict.finding)
        decidingCode = verdict.decidingFinding.code.rawValue
        system = verdict.systemFinding.flatMap { $0 == verdict.finding ? nil : Finding($0) }
        notices = verdict.notices.map(Finding.init)
    }
}
