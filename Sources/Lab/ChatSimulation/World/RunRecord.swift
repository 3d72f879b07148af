package import ChatCenterCore
import ChatServerCore

/// The record of a run: its time, its statistics, its trace and the broken rule.
struct RunRecord {
    /// A number of events that a correct run does not reach.
    static let longestRun = 20_000

    /// Nanoseconds since the start of the world.
    private(set) var now: Int64 = 0
    private(set) var complaints: [Complaint] = []
    private(set) var figures = SimulationFigures()
    private(set) var trace = TraceDigest()
    /// The last lines of the trace.
    private(set) var lines: [String] = []
    private(set) var turns: [ClientTurn] = []
    private let options: SimulationOptions

    init(_ options: SimulationOptions) {
        self.options = options
        figures.seeds = 1
    }

    /// Whether no rule has been broken so far.
    var isGood: Bool { complaints.isEmpty }

    /// Advances the time, which never goes back.
    mutating func advance(to time: Int64) {
        now = max(now, time)
    }

    /// Records the first complaint, which ends the run. Later complaints are ignored.
    mutating func complain(_ rule: Rule, _ text: String) {
        guard complaints.isEmpty else { return }
        complaints.append(Complaint(rule: rule, time: now / 1_000_000, text: text))
        note("COMPLAINT \(rule.rawValue): \(text)")
    }

    /// Adds a complaint if the run has too many events.
    mutating func judgeLength() {
        if figures.events > Self.longestRun { complain(.rest, "more than \(Self.longestRun) events") }
    }

    /// Keeps a line of the trace, if lines were requested.
    mutating func note(_ text: @autoclosure () -> String) {
        guard options.traceLines > 0 else { return }
        let milliseconds = now / 1_000_000
        let fraction = String(1000 + milliseconds % 1000).dropFirst()
        lines.append("\(milliseconds / 1000).\(fraction) " + text())
        if lines.count > options.traceLines { lines.removeFirst(lines.count - options.traceLines) }
    }

    /// Updates the statistics.
    mutating func tally(_ count: (inout SimulationFigures) -> Void) {
        count(&figures)
    }

    /// Adds a turn of a client's core to the trace.
    mutating func add(_ client: Int, _ event: ChatEvent, _ effects: [ChatEffect]) {
        trace.add(now, client, event, effects)
        guard options.keepsTurns else { return }
        turns.append(ClientTurn(client: client, time: now, event: event, effects: effects))
    }

    /// Adds an effect that a client's driver carried out to the trace.
    mutating func add(_ client: Int, _ effect: ChatEffect) {
        trace.add(now, client, effect)
    }

    /// Adds a turn of the server's core to the trace.
    mutating func add(_ event: ServerEvent, _ effects: [ServerEffect]) {
        trace.add(now, event, effects)
    }
}

/// An event of a client's core with all its effects.
package struct ClientTurn: Hashable, Sendable {
    package var client: Int
    package var time: Int64
    package var event: ChatEvent
    package var effects: [ChatEffect]
}
