#if PostgreSQL

import HoldfastTrust
import PinReports
import PostgreSQLClient

extension PostgreSQLReportStore {
    func page(_ query: ReportQuery) async throws(ReportCollectorError) -> ReportPage {
        try await read { connection throws(PostgreSQLError) in
            // Each combination of conditions is planned for its values: an index serves a rare host.
            var filter = SQLFilter(query.filter)
            if let before = query.before { filter.add("id <", .integer(before)) }
            let rows = try connection.run(
                PostgreSQLStatement(
                    "",
                    """
                    SELECT id, received_at, details FROM report\(filter.clause)
                    ORDER BY id DESC LIMIT \(query.limit + 1)
                    """,
                    filter.values))
            let reports = try rows.map { row throws(PostgreSQLError) in
                StoredReport(
                    id: try row.integer(0), receivedAt: Timestamp(secondsSince1970: try row.integer(1)),
                    details: try row.text(2))
            }
            return ReportPage(reports, limit: query.limit)
        }
    }

    func report(_ id: Int64) async throws(ReportCollectorError) -> StoredReportWithBody? {
        try await read { connection throws(PostgreSQLError) in
            let rows = try connection.run(PostgreSQLStatement("report", Self.reportByNumber, [.integer(id)]))
            guard let row = rows.first else { return nil }
            let report = StoredReport(
                id: id, receivedAt: Timestamp(secondsSince1970: try row.integer(0)), details: try row.text(1))
            return StoredReportWithBody(report: report, body: try row.optionalBytes(2))
        }
    }

    /// The number of a report does not tell its day. The order makes the server search the newest day first and stop
    /// there, instead of reading a page of the index of each day: the desk shows new reports.
    static let reportByNumber =
        "SELECT received_at, details, body FROM report WHERE id = $1 ORDER BY received_at DESC LIMIT 1"

    func summary(_ filter: ReportFilter) async throws(ReportCollectorError) -> ReportSummary {
        try await read { connection throws(PostgreSQLError) in
            let filter = SQLFilter(filter)
            let answers = try connection.run([
                PostgreSQLStatement(
                    "",
                    """
                    SELECT received_at / 86400 AS day, host, result, count(*) AS count FROM report\(filter.clause)
                    GROUP BY day, host, result ORDER BY day DESC, count DESC, host, result NULLS FIRST
                    LIMIT \(ReportSummary.rowLimit + 1)
                    """, filter.values),
                Self.sizeStatement,
            ])
            let lines = try answers[0].map { row throws(PostgreSQLError) in
                ReportSummary.Line(
                    day: try row.integer(0), host: try row.text(1),
                    result: try row.optionalInteger(2).flatMap { TrustKitResult(rawValue: Int(clamping: $0)) },
                    count: Int(clamping: try row.integer(3)))
            }
            let size = answers[1].first
            return ReportSummary(
                rows: Array(lines.prefix(ReportSummary.rowLimit)), isCut: lines.count > ReportSummary.rowLimit,
                reports: Int(clamping: try size?.integer(0) ?? 0), bytes: try size?.integer(1) ?? 0)
        }
    }

    func incidents(_ query: IncidentQuery) async throws(ReportCollectorError) -> IncidentPage {
        let limit = query.clampedLimit
        return try await read { connection throws(PostgreSQLError) in
            let rows = try connection.run(
                PostgreSQLStatement(
                    "incidents",
                    """
                    SELECT \(IncidentSummary.columns) FROM incident
                    WHERE ($1::text IS NULL OR app = $1) AND ($2::text IS NULL OR host = $2)
                        AND ($3::text IS NULL OR state = $3) AND ($4::bigint IS NULL OR last_seen >= $4)
                        AND ($5::bigint IS NULL OR (last_seen, id) < ($5, $6::bigint))
                    ORDER BY last_seen DESC, id DESC LIMIT $7
                    """,
                    [
                        .text(query.app), .text(query.host), .text(query.state?.rawValue),
                        .integer(query.since?.secondsSince1970), .integer(query.before?.lastSeen.secondsSince1970),
                        .integer(query.before?.id), .integer(Int64(limit) + 1),
                    ]))
            return IncidentPage(
                try rows.map { row throws(PostgreSQLError) in try IncidentSummary(row) }, limit: limit)
        }
    }

    func incident(_ id: Int64) async throws(ReportCollectorError) -> IncidentDetail? {
        try await read { connection throws(PostgreSQLError) in
            let answers = try connection.run([
                PostgreSQLStatement(
                    "incident", "SELECT \(IncidentSummary.columns) FROM incident WHERE id = $1", [.integer(id)]),
                PostgreSQLStatement(
                    "facets", "SELECT facet, value, count FROM incident_facet WHERE incident_id = $1", [.integer(id)]),
                PostgreSQLStatement(
                    "hours", "SELECT hour, count FROM incident_hour WHERE incident_id = $1 ORDER BY hour",
                    [.integer(id)]),
                PostgreSQLStatement(
                    "samples",
                    """
                    SELECT id FROM report WHERE incident_id = $1 AND body IS NOT NULL ORDER BY id DESC LIMIT $2
                    """, [.integer(id), .integer(Int64(IncidentDetail.sampleLimit))]),
                PostgreSQLStatement(
                    "history",
                    """
                    SELECT state, changed_at, person FROM incident_change WHERE incident_id = $1
                    ORDER BY id DESC LIMIT $2
                    """, [.integer(id), .integer(Int64(IncidentDetail.historyLimit))]),
            ])
            guard let row = answers[0].first else { return nil }
            var detail = IncidentDetail(summary: try IncidentSummary(row))
            let values = try answers[1].map { row throws(PostgreSQLError) in
                (IncidentFacet(rawValue: try row.integer(0)), try row.text(1), try row.integer(2))
            }
            detail.add(values.compactMap { facet, text, count in facet.map { ($0, text, count) } })
            detail.hours = try answers[2].map { row throws(PostgreSQLError) in
                HourCount(hourSince1970: try row.integer(0), count: try row.integer(1))
            }
            detail.samples = try answers[3].map { row throws(PostgreSQLError) in try row.integer(0) }
            detail.history = try answers[4].map { row throws(PostgreSQLError) in
                StateChange(
                    state: IncidentState(rawValue: try row.text(0)) ?? .new,
                    at: Timestamp(secondsSince1970: try row.integer(1)), by: try row.text(2))
            }.reversed()
            return detail
        }
    }

    /// The pace is counted by ten seconds, so the last minute and the last hour are up to ten seconds longer.
    func totals(at now: Timestamp) async throws(ReportCollectorError) -> ReportTotals {
        try await read { connection throws(PostgreSQLError) in
            let answers = try connection.run([
                Self.sizeStatement,
                PostgreSQLStatement("states", "SELECT state, count(*) FROM incident GROUP BY state"),
                PostgreSQLStatement(
                    "pace",
                    """
                    SELECT coalesce(sum(reports) FILTER (WHERE slot >= $1), 0)::bigint,
                        coalesce(sum(reports), 0)::bigint FROM report_pace WHERE slot >= $2
                    """,
                    [
                        .integer(now.advanced(bySeconds: -59).paceSlot),
                        .integer(now.advanced(bySeconds: -3_599).paceSlot),
                    ]),
                PostgreSQLStatement("oldestIdentity", "SELECT min(received_at) FROM report_identity"),
                PostgreSQLNotices.count,
            ])
            var incidents: [IncidentState: Int] = [:]
            for (name, count) in try answers[1].map({ row throws(PostgreSQLError) in
                (try row.text(0), Int(clamping: try row.integer(1)))
            }) {
                if let state = IncidentState(rawValue: name) { incidents[state] = count }
            }
            let (size, pace, oldest) = (answers[0].first, answers[2].first, answers[3].first)
            return ReportTotals(
                reports: Int(clamping: try size?.integer(0) ?? 0), bytes: try size?.integer(1) ?? 0,
                incidents: incidents, lastMinute: Int(clamping: try pace?.integer(0) ?? 0),
                lastHour: Int(clamping: try pace?.integer(1) ?? 0),
                identities: Int(clamping: try size?.integer(2) ?? 0),
                oldestIdentity: try oldest?.optionalInteger(0).map { Timestamp(secondsSince1970: $0) },
                notices: Int(clamping: try answers[4].first?.integer(0) ?? 0))
        }
    }

    static let sizeStatement = PostgreSQLStatement(
        "size",
        """
        SELECT coalesce(sum(reports), 0)::bigint, coalesce(sum(bytes), 0)::bigint,
            (SELECT coalesce(sum(identities), 0)::bigint FROM identity_total) FROM report_total
        """)

    func hosts(
        withRoot root: String, since time: Timestamp, limit: Int
    ) async throws(ReportCollectorError) -> [String] {
        let digest = ReportFacts.root(root)
        return try await read { connection throws(PostgreSQLError) in
            try connection.run(
                PostgreSQLStatement(
                    "hostsOfRoot",
                    "SELECT DISTINCT host FROM incident WHERE root = $1 AND last_seen >= $2 ORDER BY host LIMIT $3",
                    [.bytes(digest), .integer(time.secondsSince1970), .integer(Int64(clamping: limit))])
            ).map { row throws(PostgreSQLError) in try row.text(0) }
        }
    }
}

/// The conditions of a statement. Values are parameters and never part of the text.
private struct SQLFilter {
    private var conditions: [String] = []
    private(set) var values: [PostgreSQLValue] = []

    /// The `WHERE` clause after a space; empty without conditions.
    var clause: String { conditions.isEmpty ? "" : " WHERE " + conditions.joined(separator: " AND ") }

    init(_ filter: ReportFilter) {
        if let host = filter.host { add("host =", .text(host.text)) }
        if let result = filter.result { add("result =", .integer(Int64(result.rawValue))) }
        if let since = filter.since { add("received_at >=", .integer(since.secondsSince1970)) }
    }

    /// Adds a comparison with a value.
    mutating func add(_ comparison: StaticString, _ value: PostgreSQLValue) {
        values.append(value)
        conditions.append("\(comparison) $\(values.count)")
    }
}

extension IncidentSummary {
    /// The columns of the table that ``init(_:)`` reads, and their number.
    static let columnCount = 10
    static let columns =
        "id, app, host, result, seen_pin, state, first_seen, last_seen, count, clients"

    /// Creates an incident from a row that begins with ``columns``.
    init(_ row: PostgreSQLRow) throws(PostgreSQLError) {
        let sketch = ClientSketch(bytes: try row.bytes(9)) ?? ClientSketch()
        self.init(
            id: try row.integer(0),
            key: IncidentKey(
                app: try row.text(1), host: try row.text(2),
                result: try row.optionalInteger(3).map { Int(clamping: $0) }, seenPin: try row.optionalText(4)),
            state: IncidentState(rawValue: try row.text(5)) ?? .new,
            firstSeen: Timestamp(secondsSince1970: try row.integer(6)),
            lastSeen: Timestamp(secondsSince1970: try row.integer(7)), count: try row.integer(8),
            clients: sketch.estimate, isExact: sketch.isExact)
    }
}

#endif
