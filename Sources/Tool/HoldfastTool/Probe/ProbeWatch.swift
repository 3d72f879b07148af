import HoldfastTrust

/// What a watch knows of the servers that it looks at, as a value: reports come in, events come out.
struct ProbeWatch: Sendable {
    /// What was seen of one server when there was a verdict last.
    fileprivate struct Sight: Sendable {
        var key: SPKIDigest
        var certificate: CertificateDigest
        var issuer: String
        var above: [CertificateDigest]
    }

    private struct State: Sendable {
        /// `nil` before the first certificate that could be read.
        var sight: Sight?
        /// What came out; `nil` before the first verdict.
        var permits: Bool?
        var isLost = false
        /// Pins that have matched nothing so far; `nil` before the first verdict.
        var unseen: Set<Pin>?
        /// The warnings that were given, by code and detail, with the days that were left then.
        var given: [String: Int64?] = [:]
    }

    private var states: [ProbeTarget: State] = [:]

    /// How often each kind of event has been seen of each server.
    private(set) var tallies: [ProbeEvent.Tally: Int64] = [:]

    /// Takes a report, and says what has happened since the last one of the same server.
    mutating func observe(_ report: ProbeReport) -> [ProbeEvent] {
        var state = states[report.target] ?? State()
        var found: [(ProbeEvent.Kind, String)] = []
        if case .failed(let failure) = report.outcome {
            if !state.isLost { found.append((.lost, "\(failure.code): \(failure.reason)")) }
            state.isLost = true
        } else {
            if state.isLost { found.append((.recovered, report.conclusion)) }
            state.isLost = false
            // Where the server's own certificate cannot be read, nothing is known of its key, and nothing is forgotten.
            if let sight = Sight(report) {
                if let before = state.sight { found += Self.changes(from: before, to: sight, report) }
                state.sight = sight
            }
            if let before = state.permits, before != report.outcome.permits {
                found.append((.verdictChanged, report.conclusion))
            }
            state.permits = report.outcome.permits
            if report.leaf != nil { found += Self.pins(&state.unseen, report) }
        }
        found += Self.warnings(&state.given, report)
        states[report.target] = state
        let events = found.map { ProbeEvent(kind: $0, target: report.target, time: report.time, message: $1) }
        for event in events { tallies[ProbeEvent.Tally(target: event.target, kind: event.kind), default: 0] += 1 }
        return events
    }

    private static func changes(
        from before: Sight, to now: Sight, _ report: ProbeReport
    ) -> [(ProbeEvent.Kind, String)] {
        var found: [(ProbeEvent.Kind, String)] = []
        if before.key != now.key {
            found.append((.keyChanged, "the server's key was \(before.key) and is \(now.key)"))
        } else if before.certificate != now.certificate {
            let end = report.leaf?.notAfter.map { ", valid until \($0)" } ?? ""
            found.append((.certificateRenewed, "another certificate for the same key\(end)"))
        }
        if before.issuer != now.issuer {
            found.append(
                (.issuerChanged, "the server's certificate was issued by \(before.issuer), and is by \(now.issuer)"))
        }
        if before.above != now.above {
            let names = report.certificates.filter { !$0.isLeaf && $0.servedPosition != nil }.map(\.subject)
            found.append(
                (
                    .chainChanged,
                    "the certificates above it are now: \(names.isEmpty ? "none" : names.joined(separator: "; "))"
                ))
        }
        return found
    }

    /// A pin that matches nothing is said once; so is that it matches at last.
    private static func pins(_ unseen: inout Set<Pin>?, _ report: ProbeReport) -> [(ProbeEvent.Kind, String)] {
        let missing = Set(report.unseenPins)
        guard let before = unseen else {
            unseen = missing
            return report.unseenPins.map { (.pinUnseen, "\($0) has not been seen: a backup, or a key that is gone") }
        }
        let seen = before.subtracting(missing)
        unseen = before.intersection(missing)
        return seen.map(\.description).sorted().map { (.pinSeen, "\($0) is in use now") }
    }

    /// A warning is given when it is new, and again when a day has gone.
    private static func warnings(
        _ given: inout [String: Int64?], _ report: ProbeReport
    ) -> [(ProbeEvent.Kind, String)] {
        var current: [String: Int64?] = [:]
        var found: [(ProbeEvent.Kind, String)] = []
        for warning in report.warnings {
            let key = warning.code.rawValue + " " + warning.detail
            // A server may send one certificate many times.
            guard current.updateValue(warning.daysLeft, forKey: key) == nil else { continue }
            if given[key] != .some(warning.daysLeft) { found.append((.warning, warning.description)) }
        }
        // Without a verdict nothing is known to be mended: what was given stays given.
        if report.outcome.permits == nil { given.merge(current) { $1 } } else { given = current }
        return found
    }
}

extension ProbeWatch.Sight {
    fileprivate init?(_ report: ProbeReport) {
        guard let leaf = report.leaf else { return nil }
        key = leaf.spki
        certificate = leaf.fingerprint
        issuer = leaf.issuer
        above = report.certificates.filter { !$0.isLeaf && $0.servedPosition != nil }.map(\.fingerprint)
    }
}

/// Something that a watch has seen happen.
struct ProbeEvent: Hashable, Sendable {
    /// The kind: stable, and a safe metric label.
    enum Kind: String, Hashable, Sendable, CaseIterable {
        /// The server shows another key.
        case keyChanged
        /// The server shows another certificate for the same key.
        case certificateRenewed
        /// The certificates above the server's own are others.
        case chainChanged
        /// Another authority has issued the server's certificate.
        case issuerChanged
        /// A client's connection is allowed now, or refused now.
        case verdictChanged
        /// There is no verdict any more.
        case lost
        /// There is a verdict again.
        case recovered
        /// A pin of the policy has matched nothing since the watch began.
        case pinUnseen
        /// A pin that had matched nothing has matched.
        case pinSeen
        /// A warning: it is new, or a day has passed since it was given.
        case warning
    }

    /// What is counted.
    struct Tally: Hashable, Sendable {
        var target: ProbeTarget
        var kind: Kind
    }

    var kind: Kind
    var target: ProbeTarget
    var time: Timestamp
    /// One sentence, safe to print.
    var message: String

    /// As a watch writes it.
    var line: String { "\(time) \(target): \(kind.rawValue): \(message)" }

    var json: JSONNode.Value {
        .fields([
            ("kind", .string(kind.rawValue)), ("host", .text(target.host)), ("port", .number("\(target.port)")),
            ("time", .text(time)), ("message", .string(message)),
        ])
    }
}

/// Drives a watch: rounds with pauses between them, until it is interrupted.
struct ProbeWatcher: Sendable {
    /// How long the pauses are.
    var pace: ProbePace
    /// After how many rounds it ends by itself; `nil`: never.
    var rounds: Int?
    /// Waits. Throws when the task is cancelled.
    var pause: @Sendable (Duration) async throws -> Void = {
        try await Task.sleep(for: $0)  // reason: the pause between two rounds, in real time; tests hand in another
    }
    /// Returns when the user or the system interrupts the command.
    var interruption: @Sendable () async -> Void = { await Interruption.wait() }

    /// Runs rounds, each with the state of the watch and its number from 1. An interruption cuts a round or a pause off, and
    /// is success.
    func run(
        _ round: @escaping @Sendable (inout ProbeWatch, Int) async throws -> ToolStatus
    ) async throws -> ToolStatus {
        try await withThrowingTaskGroup(of: ToolStatus.self) { group in
            group.addTask {
                var state = ProbeWatch()
                var number = 1
                while true {
                    let status = try await round(&state, number)
                    if number == rounds { return status }
                    try await pause(pace.next())
                    number += 1
                }
            }
            group.addTask {
                await interruption()
                return .success
            }
            defer { group.cancelAll() }
            return try await group.next() ?? .success
        }
    }
}

/// How long a watch waits between two rounds.
struct ProbePace: Sendable {
    /// The time between two rounds, before the jitter.
    var interval: Duration
    /// Between 0 and 1, evenly: what shifts a round, so that many watches do not come at once.
    var chance: @Sendable () -> Double = { Double.random(in: 0..<1) }

    /// The next wait: nine to eleven tenths of the interval.
    func next() -> Duration {
        let shift = min(max(chance(), 0), 1)
        return interval * (0.9 + 0.2 * (shift.isNaN ? 0.5 : shift))
    }
}
