import HoldfastTrust

/// The state of a watch: takes reports and returns events.
struct ProbeWatch: Sendable {
    /// What was seen of one server at the last verdict.
    fileprivate struct Sight: Sendable {
        var key: SPKIDigest
        var certificate: CertificateDigest
        var issuer: String
        var above: [CertificateDigest]
    }

    private struct State: Sendable {
        /// `nil` before the first readable certificate.
        var sight: Sight?
        /// The last result; `nil` before the first verdict.
        var permits: Bool?
        var isLost = false
        /// The pins that have not matched so far; `nil` before the first verdict.
        var unseen: Set<Pin>?
        /// The warnings that were printed, by code and detail, with the remaining days at that time.
        var given: [String: Int64?] = [:]
    }

    private var states: [ProbeTarget: State] = [:]

    /// How often each kind of event has occurred, for each server.
    private(set) var tallies: [ProbeEvent.Tally: Int64] = [:]

    /// Takes a report, and returns the events since the last one of the same server.
    mutating func observe(_ report: ProbeReport) -> [ProbeEvent] {
        var state = states[report.target] ?? State()
        var found: [(ProbeEvent.Kind, String)] = []
        if case .failed(let failure) = report.outcome {
            if !state.isLost { found.append((.lost, "\(failure.code): \(failure.reason)")) }
            state.isLost = true
        } else {
            if state.isLost { found.append((.recovered, report.conclusion)) }
            state.isLost = false
            // If the server's own certificate cannot be read, its key is unknown, and the state is kept.
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
                (.issuerChanged, "the issuer of the server's certificate was \(before.issuer) and is \(now.issuer)"))
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

    /// Returns an event for each pin that has not matched, once, and for each that matches for the first time.
    private static func pins(_ unseen: inout Set<Pin>?, _ report: ProbeReport) -> [(ProbeEvent.Kind, String)] {
        let missing = Set(report.unseenPins)
        guard let before = unseen else {
            unseen = missing
            return report.unseenPins.map { (.pinUnseen, "\($0) has not been seen: a backup key or an old key") }
        }
        let seen = before.subtracting(missing)
        unseen = before.intersection(missing)
        return seen.map(\.description).sorted().map { (.pinSeen, "\($0) is in use now") }
    }

    /// Returns warnings that are new, or whose remaining days have changed.
    private static func warnings(
        _ given: inout [String: Int64?], _ report: ProbeReport
    ) -> [(ProbeEvent.Kind, String)] {
        var current: [String: Int64?] = [:]
        var found: [(ProbeEvent.Kind, String)] = []
        for warning in report.warnings {
            let key = warning.code.rawValue + " " + warning.detail
            // A server may send one certificate several times.
            guard current.updateValue(warning.daysLeft, forKey: key) == nil else { continue }
            if given[key] != .some(warning.daysLeft) { found.append((.warning, warning.description)) }
        }
        // Without a verdict, nothing is known to be fixed, so earlier warnings are kept.
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

/// An event of a watch.
struct ProbeEvent: Hashable, Sendable {
    /// The kind of event: stable, and a safe metric label.
    enum Kind: String, Hashable, Sendable, CaseIterable {
        /// The server presents another key.
        case keyChanged
        /// The server presents another certificate for the same key.
        case certificateRenewed
        /// The certificates above the server's own have changed.
        case chainChanged
        /// The issuer of the server's certificate has changed.
        case issuerChanged
        /// The connection is now allowed, or now refused.
        case verdictChanged
        /// There is no longer a verdict.
        case lost
        /// There is a verdict again.
        case recovered
        /// A pin of the policy has not matched since the watch began.
        case pinUnseen
        /// A pin matches for the first time.
        case pinSeen
        /// A new warning, or one whose remaining days have changed.
        case warning
    }

    /// The key of a counter.
    struct Tally: Hashable, Sendable {
        var target: ProbeTarget
        var kind: Kind
    }

    var kind: Kind
    var target: ProbeTarget
    var time: Timestamp
    /// One sentence, safe to print.
    var message: String

    /// The line that a watch prints.
    var line: String { "\(time) \(target): \(kind.rawValue): \(message)" }

    var json: JSONNode.Value {
        .fields([
            ("kind", .string(kind.rawValue)), ("host", .text(target.host)), ("port", .number("\(target.port)")),
            ("time", .text(time)), ("message", .string(message)),
        ])
    }
}
