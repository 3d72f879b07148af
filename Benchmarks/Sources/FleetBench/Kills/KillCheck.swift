import BenchSupport
import Foundation
import HoldfastTrust

/// Compares the database with the answers of a load, after kills. Nothing may be lost, and nothing may count twice.
struct KillCheck: Codable, Sendable {
    /// The reports that were answered with 201, or with 200 after their answer was lost.
    var answered: Int
    /// Answered reports that are not in the database, or under another number.
    var lost = 0
    /// Rows beyond one for each answered report.
    var doubled = 0
    /// Incidents whose count differs from the number of their rows.
    var wrongIncidents = 0
    /// Other sums that differ from the number of rows, by name.
    var wrongSums: [String] = []

    var holds: Bool { lost == 0 && doubled == 0 && wrongIncidents == 0 && wrongSums.isEmpty }

    /// Checks the database after the collector has ended.
    init(_ stage: Stage, _ load: LoadGenerator) throws {
        let answers = load.tally.answers
        answered = answers.count
        let sql = Statements(stage.engine)
        let database = stage.database
        var stored: [String: Int64] = [:]
        for (identity, id) in try database.pairs(sql.identities) where stored.updateValue(id, forKey: identity) != nil {
            doubled += 1
        }
        for (number, id) in answers where stored[sql.identity(load.templates.key(number))] != id { lost += 1 }
        let rows = try database.number("SELECT count(*) FROM report")
        doubled += max(0, Int(rows) - answered)
        lost += Int(try database.number(sql.withoutRow))
        wrongIncidents = Int(try database.number(sql.wrongIncidents))
        for (name, sum) in sql.sums where try database.number(sum) != rows { wrongSums.append(name) }
    }
}

/// The statements of ``KillCheck`` for an engine.
private struct Statements {
    private let engine: Engine

    init(_ engine: Engine) {
        self.engine = engine
    }

    /// Returns how the database stores the identity of a key.
    func identity(_ key: String) -> String {
        SHA256Hash(hashing: Array(("id:" + key).utf8)).bytes.prefix(16).map(Self.hex).joined()
    }

    private static func hex(_ byte: UInt8) -> String { String(format: "%02x", byte) }

    /// Each identity with the number of its report.
    var identities: String {
        engine == .sqlite
            ? "SELECT lower(hex(identity)), reportID FROM reportIdentity"
            : "SELECT encode(identity, 'hex'), report_id FROM report_identity"
    }

    /// The number of identities without exactly one row.
    var withoutRow: String {
        let (table, id) = engine == .sqlite ? ("reportIdentity", "reportID") : ("report_identity", "report_id")
        return """
            SELECT count(*) FROM \(table) AS named
            WHERE (SELECT count(*) FROM report WHERE report.id = named.\(id)) <> 1
            """
    }

    var wrongIncidents: String {
        let id = engine == .sqlite ? "incidentID" : "incident_id"
        return """
            SELECT count(*) FROM incident
            WHERE count <> (SELECT count(*) FROM report WHERE report.\(id) = incident.id)
            """
    }

    /// Sums that must equal the number of rows. Each report has one version of the app, of its policy and of its
    /// platform.
    var sums: [(name: String, sql: String)] {
        let facets = engine == .sqlite ? "incidentFacet" : "incident_facet"
        let hours = engine == .sqlite ? "incidentHour" : "incident_hour"
        let total = engine == .sqlite ? "total" : "report_total"
        func sum(_ column: String, _ table: String) -> String {
            "SELECT CAST(coalesce(sum(\(column)), 0) AS bigint) FROM \(table)"
        }
        return [
            ("incidents", sum("count", "incident")), ("hours", sum("count", hours)), ("totals", sum("reports", total)),
            ("app versions", sum("count", facets + " WHERE facet = 1")),
            ("policy versions", sum("count", facets + " WHERE facet = 2")),
            ("platforms", sum("count", facets + " WHERE facet = 3")),
        ]
    }
}
