import HoldfastTrust
import PinReportCollector

/// Prints where `holdfast serve collector` listens, and one line for each report or refusal.
struct CollectorLines: Sendable {
    let console: Console
    let log: ServerLog
    /// Whether events are printed to standard output, for another program.
    let asJSON: Bool

    /// Whether sentences are printed for people.
    private var isForPeople: Bool { !asJSON && log.format == .text }

    /// Prints that the collector accepts connections, and the address of its desk.
    func listening(
        _ address: ReportCollectorAddress, _ configuration: ReportCollectorConfiguration, desk: String?
    ) {
        let readers = Readers(configuration)
        let facts: ServerLog.Fields = [
            ("url", .string(address.url)), ("paths", .list(configuration.intakePaths.map { .string($0) })),
            ("database", configuration.databaseText.map { .string($0) } ?? .null),
            ("token", .bool(configuration.token != nil)), ("readers", .string(readers.rawValue)),
        ]
        if asJSON {
            write([("event", .string("listening"))] + facts + [("desk", desk.map { .string($0) } ?? .null)])
        }
        // The address of the desk signs one person in, so it is a secret if it has a query.
        let path = desk?.split(separator: "?").first.map(String.init)
        log.write(.listening, facts + [("desk", path.map { .string($0) } ?? .null)])
        if isForPeople { sayListening(address, configuration, readers, desk: desk) }
        if isForPeople || log.format == .json { warn(address, configuration) }
        if log.format == .json, !asJSON, path != desk {
            console.note(
                "WARNING: the address that signs in to the desk is a secret and is not logged: give --token-file")
        }
    }

    private func sayListening(
        _ address: ReportCollectorAddress, _ configuration: ReportCollectorConfiguration, _ readers: Readers,
        desk: String?
    ) {
        for path in configuration.intakePaths { console.note("reports are posted to \(address.url)\(path)") }
        console.note("they are read at \(address.url)/reports and /reports/summary, \(readers.sentence)")
        if let desk { console.note("the report desk is at \(desk)") }
        if configuration.databaseText == nil {
            console.note("without --database, reports are lost when the collector ends")
        }
    }

    private func warn(_ address: ReportCollectorAddress, _ configuration: ReportCollectorConfiguration) {
        if configuration.dangerouslyAllowsUnverifiedDatabase {
            console.note("WARNING: anyone on the network path to the database may read and change reports")
        }
        if configuration.dangerouslyAllowsCleartext, !address.isSecure {
            console.note(
                "WARNING: without TLS anyone on the network path can read and forge reports, and read the token")
        }
    }

    /// Prints an event.
    func event(_ event: ReportCollectorEvent) {
        let (name, level, fields) = Self.facts(of: event)
        if asJSON { write([("event", .string(name.rawValue))] + fields) }
        log.write(name, level: level, fields)
        if isForPeople { console.note(sentence(for: event)) }
    }

    /// Describes an event. Its texts are safe to print.
    private func sentence(for event: ReportCollectorEvent) -> String {
        switch event {
        case .stored(let report):
            let result = report.result.map { " \($0)" } ?? ""
            let app = report.app.map { ", \($0)" } ?? ""
            let enforced = report.isEnforced == false ? ", not enforced" : ""
            return "\(report.receivedAt) report \(report.id): \(report.host):\(report.port)\(result)\(app)\(enforced)"
        case .repeated(let id): return "report \(id) was received again"
        case .refused(let status, let code, let count):
            return "refused with \(status): \(code)\(count == 1 ? "" : ", \(count) times")"
        case .storageFailed(let reason): return "the database failed: \(reason)"
        case .rolloutStopped(let rollout, let reason):
            return "WARNING: the roll-out of \(rollout.application) version \(rollout.version) must stop. \(reason)"
        case .haltPublished(let rollout, let until):
            return "a halt of \(rollout.application) version \(rollout.version) is published, until \(until)"
        case .haltFailed(let rollout, let reason):
            return "WARNING: no halt of \(rollout.application) version \(rollout.version) is published. \(reason)"
        case .dropped(let count): return "\(count) lines were dropped: they were not read in time"
        }
    }

    /// Returns the name, the level and the keys of an event.
    private static func facts(
        of event: ReportCollectorEvent
    ) -> (name: ServerLog.Event, level: ServerLog.Level, fields: ServerLog.Fields) {
        switch event {
        case .stored(let report):
            let fields: ServerLog.Fields = [
                ("id", .number(String(report.id))), ("receivedAt", .text(report.receivedAt)),
                ("host", .string(report.host)), ("port", .number(String(report.port))),
                ("result", report.result.map { .string("\($0)") } ?? .null),
                ("app", report.app.map { .string($0) } ?? .null),
                ("enforced", report.isEnforced.map { .bool($0) } ?? .null),
            ]
            return (.stored, .info, fields)
        case .repeated(let id): return (.repeated, .info, [("id", .number(String(id)))])
        case .refused(let status, let code, let count):
            let fields: ServerLog.Fields = [
                ("status", .number(String(status))), ("code", .string(code)), ("count", .number(String(count))),
            ]
            return (.refused, .info, fields)
        case .storageFailed(let reason): return (.storageFailed, .error, [("reason", .string(reason))])
        case .rolloutStopped(let rollout, let reason):
            return (.rolloutStopped, .error, fields(of: rollout) + [("reason", .string(reason))])
        case .haltPublished(let rollout, let until):
            return (.haltPublished, .warning, fields(of: rollout) + [("notAfter", .text(until))])
        case .haltFailed(let rollout, let reason):
            return (.haltFailed, .error, fields(of: rollout) + [("reason", .string(reason))])
        case .dropped(let count): return (.dropped, .warning, [("count", .number(String(count)))])
        }
    }

    private static func fields(of rollout: ReportCollectorEvent.Rollout) -> ServerLog.Fields {
        [("app", .string(rollout.application)), ("version", .number(String(rollout.version)))]
    }

    /// Who may read reports.
    private enum Readers: String {
        case token
        case thisMachine
        case nobody

        init(_ configuration: ReportCollectorConfiguration) {
            if configuration.token != nil {
                self = .token
            } else {
                self = configuration.isReadableWithoutToken ? .thisMachine : .nobody
            }
        }

        var sentence: String {
            switch self {
            case .token: "with the token"
            case .thisMachine: "on this machine"
            case .nobody: "disabled: other machines or a proxy may connect, so a token is required"
            }
        }
    }

    /// Prints one object on one line.
    private func write(_ fields: [(String, JSONNode.Value?)]) {
        // A closed standard output does not end the collector.
        try? console.print(JSONLine.text(fields))
    }
}
