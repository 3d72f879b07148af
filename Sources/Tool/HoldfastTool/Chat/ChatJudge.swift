import ChatCenter
import HoldfastTrust

/// What judges the chat's server, to tell a refusal as `holdfast probe` does.
struct ChatJudge: Sendable {
    let server: ProbeTarget
    let prober: Prober

    /// The verdict, the pins that were seen and those that were expected, and what to do. Empty where no server was refused.
    func lines(on error: ChatNetworkError) -> [String] {
        guard let verdict = error.verdict else { return [] }
        return ProbeReport(verdict, on: server, prober: prober).refusalLines
            + ["hint: holdfast probe \(server) shows what the server sends"]
    }
}
