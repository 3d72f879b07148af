#if PostgreSQL

import HoldfastBase
import HoldfastTrust
import PinReports
import PostgreSQLClient
import Synchronization

extension PostgreSQLReportStore {
    func add(
        _ batch: [IncomingReport], limits: ReportCollectorLimits
    ) async throws(ReportCollectorError) -> [ReportOutcome] {
        guard !batch.isEmpty else { return [] }
        try await makeRoom(for: batch, limits: limits)
        let shard = shard
        let (outcomes, added) = try await withPartitions(for: batch) { connection throws(PostgreSQLError) in
            try BatchTransaction(batch, limits: limits, shard: shard).run(connection)
        }
        level.withLock { level in
            level.reports += added.reports
            level.bytes += added.bytes
            level.identities += added.identities
        }
        return outcomes
    }

    func change(
        _ id: Int64, to state: IncidentState, by person: String, at time: Timestamp
    ) async throws(ReportCollectorError) -> Bool {
        try await write { connection throws(PostgreSQLError) in
            let found = try connection.run([
                .begin, PostgreSQLStatement("lockIncident", Self.lockIncident, [.integer(id)]),
            ])
            let name = try found.last?.first?.text(0)
            guard let name, let current = IncidentState(rawValue: name), current.allows(state) else {
                _ = try connection.commit(after: [])
                return false
            }
            _ = try connection.commit(after: [
                PostgreSQLStatement(
                    "changeIncident", "UPDATE incident SET state = $2, changed_at = $3 WHERE id = $1",
                    [.integer(id), .text(state.rawValue), .integer(time.secondsSince1970)]),
                PostgreSQLStatement(
                    "logChange", Self.logChange,
                    [.integer(id), .text(state.rawValue), .integer(time.secondsSince1970), .text(person)]),
            ])
            return true
        }
    }

    private static let lockIncident = "SELECT state FROM incident WHERE id = $1 FOR UPDATE"
    private static let logChange =
        "INSERT INTO incident_change (incident_id, state, changed_at, person) VALUES ($1, $2, $3, $4)"
}

/// The transaction of one batch: three round trips. Each locks its rows in a fixed order, so that the batches of
/// several collectors wait for each other but never in a circle: identities, incidents, roll-outs, the collector's
/// totals.
struct BatchTransaction {
    private let batch: [IncomingReport]
    private let limits: ReportCollectorLimits
    private let shard: Int64
    /// The digest of each report's identity.
    private let identities: [[UInt8]]
    /// The indexes of the first report of each identity in the batch.
    private let firsts: [Int]

    init(_ batch: [IncomingReport], limits: ReportCollectorLimits, shard: Int64) {
        self.batch = batch
        self.limits = limits
        self.shard = shard
        let identities = batch.map(\.identity)
        var seen: Set<[UInt8]> = []
        firsts = identities.indices.filter { seen.insert(identities[$0]).inserted }
        self.identities = identities
    }

    /// Stores the batch and returns the outcomes, and what was added.
    func run(
        _ connection: PostgreSQLConnection
    ) throws(PostgreSQLError) -> (outcomes: [ReportOutcome], added: PostgreSQLReportStore.Level) {
        // The first round trip claims the identities. The server returns those that this batch may store.
        let claimed = try connection.run([.begin, claim])
        var numbers: [[UInt8]: Int64] = [:]
        // Identities that replace an expired one are not counted again.
        var added: Int64 = 0
        for row in try claimed[claimed.count - 1].map({ row throws(PostgreSQLError) in
            (try row.bytes(0), try row.integer(1), try row.integer(2))
        }) {
            numbers[row.0] = row.1
            added += row.2
        }
        let stored = firsts.filter { numbers[identities[$0]] != nil }
        let deltas = IncidentDelta.all(stored.map { batch[$0].facts })
        let rollouts = RolloutChanges(stored.map { batch[$0] }, shard: shard)
        // The second one counts the incidents, which locks them, and reads the other identities.
        let answers = try connection.run([count(deltas), known(except: numbers)] + rollouts.lock)
        let incidents = try answers[0].map { row throws(PostgreSQLError) in try CountedIncident(row) }
        var earlier: [[UInt8]: (id: Int64, digest: [UInt8])] = [:]
        for row in try answers[1].map({ row throws(PostgreSQLError) in
            (try row.bytes(0), try row.integer(1), try row.bytes(2))
        }) {
            earlier[row.0] = (row.1, row.2)
        }
        let outcomes = outcomes(numbers: numbers, earlier: earlier)
        // The third one stores everything else and commits.
        var rest = try rollouts.statements(answers.count > 2 ? answers[2] : nil)
        if !stored.isEmpty {
            rest += statements(stored, numbers: numbers, deltas: deltas, incidents: incidents)
            rest.append(countIdentities(added))
        }
        _ = try connection.commit(after: rest)
        let bytes = stored.reduce(0) { $0 + Int64(batch[$1].size) }
        return (
            outcomes, PostgreSQLReportStore.Level(reports: Int64(stored.count), bytes: bytes, identities: added)
        )
    }

    private func outcomes(
        numbers: [[UInt8]: Int64], earlier: [[UInt8]: (id: Int64, digest: [UInt8])]
    ) -> [ReportOutcome] {
        let firstOf = Dictionary(firsts.map { (identities[$0], $0) }) { first, _ in first }
        return batch.indices.map { index in
            let (identity, report) = (identities[index], batch[index])
            if let number = numbers[identity], let first = firstOf[identity] {
                if first == index { return .stored(number) }
                return report.digest == batch[first].digest ? .repeated(number) : .conflicting
            }
            guard let known = earlier[identity], known.digest == report.digestPrefix else { return .conflicting }
            return .repeated(known.id)
        }
    }

    // MARK: - The first round trip

    private var claim: PostgreSQLStatement {
        let reports = firsts.map { batch[$0] }
        return PostgreSQLStatement(
            "claimIdentities",
            """
            INSERT INTO report_identity AS known (identity, digest, report_id, received_at, repeats_until)
            SELECT identity, digest, nextval('report_number'), received_at, repeats_until
            FROM (SELECT * FROM unnest($1::bytea[], $2::bytea[], $3::bigint[], $4::bigint[])
                AS incoming (identity, digest, received_at, repeats_until) ORDER BY identity) AS incoming
            ON CONFLICT (identity) DO UPDATE SET digest = excluded.digest, report_id = excluded.report_id,
                received_at = excluded.received_at, repeats_until = excluded.repeats_until
            WHERE known.repeats_until <= excluded.received_at
            RETURNING identity, report_id, (xmax = 0)::int
            """,
            [
                .byteStrings(firsts.map { identities[$0] }), .byteStrings(reports.map(\.digestPrefix)),
                .integers(reports.map(\.receivedAt.secondsSince1970)),
                .integers(
                    reports.map { $0.receivedAt.advanced(bySeconds: limits.identityTime(of: $0)).secondsSince1970 }),
            ])
    }

    // MARK: - The second round trip

    private func known(except numbers: [[UInt8]: Int64]) -> PostgreSQLStatement {
        PostgreSQLStatement(
            "knownIdentities",
            "SELECT identity, report_id, digest FROM report_identity WHERE identity = ANY($1::bytea[])",
            [.byteStrings(firsts.map { identities[$0] }.filter { numbers[$0] == nil })])
    }

    private func count(_ deltas: [IncidentDelta]) -> PostgreSQLStatement {
        PostgreSQLStatement(
            "countIncidents",
            """
            INSERT INTO incident AS known
                (key, app, host, result, seen_pin, state, changed_at, first_seen, last_seen, count, clients, root)
            SELECT key, app, host, result, pin, 'new', first_seen, first_seen, last_seen, count, '\\x00', root
            FROM (SELECT * FROM unnest($1::bytea[], $2::text[], $3::text[], $4::bigint[], $5::text[], $6::bigint[],
                $7::bigint[], $8::bigint[], $9::bytea[])
                AS delta (key, app, host, result, pin, first_seen, last_seen, count, root) ORDER BY key) AS delta
            ON CONFLICT (key) DO UPDATE SET count = known.count + excluded.count,
                root = coalesce(known.root, excluded.root),
                first_seen = least(known.first_seen, excluded.first_seen),
                last_seen = greatest(known.last_seen, excluded.last_seen)
            RETURNING key, id, state, changed_at, clients, (xmax = 0)::int
            """,
            [
                .byteStrings(deltas.map(\.keyDigest)), .texts(deltas.map(\.key.app)), .texts(deltas.map(\.key.host)),
                .integers(deltas.map { $0.key.result.map { Int64($0) } }), .texts(deltas.map(\.key.seenPin)),
                .integers(deltas.map(\.firstSeen.secondsSince1970)),
                .integers(deltas.map(\.lastSeen.secondsSince1970)), .integers(deltas.map(\.count)),
                .byteStrings(deltas.map(\.root)),
            ])
    }

    // MARK: - The third round trip

    private func statements(
        _ stored: [Int], numbers: [[UInt8]: Int64], deltas: [IncidentDelta], incidents: [CountedIncident]
    ) -> [PostgreSQLStatement] {
        let byKey = Dictionary(incidents.map { ($0.key, $0) }) { first, _ in first }
        var pairs: [(delta: IncidentDelta, incident: CountedIncident)] = []
        for delta in deltas { if let incident = byKey[delta.keyDigest] { pairs.append((delta, incident)) } }
        let idOf = Dictionary(pairs.map { ($0.delta.key, $0.incident.id) }) { first, _ in first }
        var statements = [insert(stored, numbers: numbers, incidents: idOf)]
        statements += IncidentChanges(pairs).statements
        if incidents.contains(where: \.isNew) {
            statements.append(PostgreSQLReportStore.limitIncidents(to: limits.incidents))
        }
        return statements + totals(stored)
    }

    private func insert(
        _ stored: [Int], numbers: [[UInt8]: Int64], incidents: [IncidentKey: Int64]
    ) -> PostgreSQLStatement {
        let reports = stored.map { batch[$0] }
        return PostgreSQLStatement(
            "insertReports",
            """
            INSERT INTO report (id, received_at, host, noted_host, result, size, details, body, incident_id)
            SELECT * FROM unnest($1::bigint[], $2::bigint[], $3::text[], $4::text[], $5::bigint[], $6::bigint[],
                $7::text[], $8::bytea[], $9::bigint[])
            """,
            [
                .integers(stored.map { numbers[identities[$0]] }),
                .integers(reports.map(\.receivedAt.secondsSince1970)), .texts(reports.map(\.report.host.text)),
                .texts(reports.map(\.report.notedHost.text)),
                .integers(reports.map { $0.report.result.map { Int64($0.rawValue) } }),
                .integers(reports.map { Int64($0.size) }), .texts(reports.map(\.details)),
                .byteStrings(reports.map(\.body)), .integers(reports.map { incidents[$0.facts.key] }),
            ])
    }

    private func countIdentities(_ added: Int64) -> PostgreSQLStatement {
        PostgreSQLStatement(
            "countIdentities",
            """
            INSERT INTO identity_total AS total (shard, identities) VALUES ($1, $2)
            ON CONFLICT (shard) DO UPDATE SET identities = total.identities + excluded.identities
            """, [.integer(shard), .integer(added)])
    }

    private func totals(_ stored: [Int]) -> [PostgreSQLStatement] {
        var days: [Int64: PostgreSQLReportStore.Level] = [:]
        var slots: [Int64: Int64] = [:]
        for report in stored.map({ batch[$0] }) {
            let day = report.receivedAt.day
            days[day, default: .init()].reports += 1
            days[day, default: .init()].bytes += Int64(report.size)
            slots[report.receivedAt.paceSlot, default: 0] += 1
        }
        let (dayNumbers, slotNumbers) = (days.keys.sorted(), slots.keys.sorted())
        return [
            PostgreSQLStatement(
                "countDays",
                """
                INSERT INTO report_total AS total (day, shard, reports, bytes)
                SELECT day, $2, reports, bytes FROM unnest($1::bigint[], $3::bigint[], $4::bigint[])
                    AS added (day, reports, bytes) ORDER BY day
                ON CONFLICT (day, shard) DO UPDATE SET reports = total.reports + excluded.reports,
                    bytes = total.bytes + excluded.bytes
                """,
                [
                    .integers(dayNumbers), .integer(shard), .integers(dayNumbers.map { days[$0]?.reports ?? 0 }),
                    .integers(dayNumbers.map { days[$0]?.bytes ?? 0 }),
                ]),
            PostgreSQLStatement(
                "countPace",
                """
                INSERT INTO report_pace AS pace (slot, shard, reports)
                SELECT slot, $2, reports FROM unnest($1::bigint[], $3::bigint[]) AS added (slot, reports) ORDER BY slot
                ON CONFLICT (slot, shard) DO UPDATE SET reports = pace.reports + excluded.reports
                """,
                [.integers(slotNumbers), .integer(shard), .integers(slotNumbers.map { slots[$0] ?? 0 })]),
        ]
    }
}

extension Timestamp {
    /// The day since 1970-01-01, UTC.
    var day: Int64 { secondsSince1970.flooredQuotientAndRemainder(dividingBy: 86_400).quotient }
}

#endif
