package import ChatCenterCore
import ChatServerCore

/// What is known of a run: its time, what happened in it, and the rule that did not hold.
struct RunRecord {
    /// More events than a run of sixty seconds can have.
    static let longestRun = 20_000

    /// Nanoseconds from the start of the world.
    private(set) var now: Int64 = 0
    private(set) var complaints: [Complaint] = []
    private(set) var figures = SimulationFigures()
    private(set) var trace = TraceDigest()
    /// The last lines of what happened.
    private(set) var lines: [String] = []
    private(set) var turns: [ClientTurn] = []
    private let options: SimulationOptions

    init(_ options: SimulationOptions) {
        self.options = options
        figures.seeds = 1
    }

    /// Whether every rule has held so far.
    var isGood: Bool { complaints.isEmpty }

    /// Moves the time on. It never goes back.
    mutating func advance(to time: Int64) {
        now = max(now, time)
    }

    /// The first complaint ends the run: what comes after it says nothing new.
    mutating func complain(_ rule: Rule, _ text: String) {
        guard complaints.isEmpty else { return }
        complaints.append(Complaint(rule: rule, time: now / 1_000_000, text: text))
        note("COMPLAINT \(rule.rawValue): \(text)")
    }

    /// Complains of a run that does not come to rest.
    mutating func judgeLength() {
        if figures.events > Self.longestRun { complain(.rest, "more than \(Self.longestRun) events") }
    }

    /// Keeps a line of the trace, if anybody reads it.
    mutating func note(_ text: @autoclosure () -> String) {
        guard options.traceLines > 0 else { return }
        let milliseconds = now / 1_000_000
        let fraction = String(1000 + milliseconds % 1000).dropFirst()
        lines.append("\(milliseconds / 1000).\(fraction) " + text())
        if lines.count > options.traceLines { lines.removeFirst(lines.count - options.traceLines) }
    }

    /// Counts something that happened.
    mutating func tally(_ count: (inout SimulationFigures) -> Void) {
        count(&figures)
    }

    /// Adds a turn of a client's core.
    mutating func add(_ client: Int, _ event: ChatEvent, _ effects: [ChatEffect]) {
        trace.add(now, client, event, effects)
        guard options.keepsTurns else { return }
        turns.append(ClientTurn(client: client, time: now, event: event, effects: effects))
    }

    /// Adds an effect that a client's driver has carried out.
    mutating func add(_ client: Int, _ effect: ChatEffect) {
        trace.add(now, client, effect)
    }

    /// Adds a turn of the server's core.
    mutating func add(_ event: ServerEvent, _ effects: [ServerEffect]) {
        trace.add(now, event, effects)
    }
}

/// The time of a world: nanoseconds from its start.
enum SimulationClock {
    /// Milliseconds since 1970 at the start of a world.
    static let epoch: Int64 = 1_700_000_000_000

    static func wall(_ now: Int64) -> Int64 { epoch + now / 1_000_000 }

    static func nanoseconds(_ milliseconds: Int64) -> Int64 { milliseconds * 1_000_000 }
}

/// One turn of a client's core, whole.
package struct ClientTurn: Hashable, Sendable {
    package var client: Int
    package var time: Int64
    package var event: ChatEvent
    package var effects: [ChatEffect]
}
