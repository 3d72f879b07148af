import GRDB

extension DeskFilling {
    /// Fills a database whose collector does not run. Makes the indexes and triggers of the reports again at the end,
    /// which takes less time than keeping them.
    func fill(_ file: SQLiteFile, progress: (Int) -> Void) throws {
        try file.with { database in
            // A crash would only end the benchmark.
            _ = try Row.fetchAll(database, sql: "PRAGMA journal_mode = OFF")
            try database.execute(
                sql: """
                    PRAGMA synchronous = OFF;
                    PRAGMA cache_size = -524288;
                    PRAGMA temp_store = MEMORY;
                    CREATE TEMP TABLE template AS
                        SELECT row_number() OVER (ORDER BY id) - 1 AS number, * FROM report ORDER BY id LIMIT \(incidents);
                    CREATE INDEX temp.templateByNumber ON template (number);
                    """)
            let extras = try Row.fetchAll(
                database,
                sql: """
                    SELECT type, name, sql FROM sqlite_master
                    WHERE tbl_name = 'report' AND type IN ('index', 'trigger') AND sql IS NOT NULL
                    """
            ).map { (type: $0[0] as String, name: $0[1] as String, sql: $0[2] as String) }
            for extra in extras { try database.execute(sql: "DROP \(extra.type) \(extra.name)") }
            var done = incidents
            for part in parts {
                try database.inTransaction {
                    try insert(part, in: database)
                    return .commit
                }
                done += part.numbers.count
                progress(done)
            }
            for extra in extras { try database.execute(sql: extra.sql) }
            try finish(database)
        }
    }

    /// Inserts the reports of a part with their counts.
    private func insert(_ part: Part, in database: Database) throws {
        let series = """
            WITH RECURSIVE series (n) AS (
                SELECT \(part.numbers.lowerBound) UNION ALL
                SELECT n + 1 FROM series WHERE n + 1 < \(part.numbers.upperBound)
            )
            """
        let joined = "FROM series CROSS JOIN template ON number = \(incident(part))"
        try database.execute(
            sql: """
                INSERT INTO report
                    (receivedAt, identity, digest, host, notedHost, result, size, details, body, incidentID)
                \(series)
                SELECT \(time(part)), '', randomblob(32), host, notedHost, result, size,
                    details, body, incidentID \(joined);
                INSERT INTO incidentHour (incidentID, hour, count)
                \(series)
                SELECT incidentID, (\(time(part))) / 3600 AS hour, count(*) \(joined) WHERE true GROUP BY 1, 2
                ON CONFLICT (incidentID, hour) DO UPDATE SET count = count + excluded.count;
                INSERT INTO reportIdentity (identity, digest, reportID, receivedAt)
                \(series)
                SELECT randomblob(16), randomblob(16), n, \(time(part)) FROM series;
                INSERT INTO reportPace (slot, reports)
                \(series)
                SELECT (\(time(part))) / 10 AS slot, count(*) FROM series
                WHERE (\(time(part))) > \(now - 7_200) GROUP BY 1
                ON CONFLICT (slot) DO UPDATE SET reports = reports + excluded.reports;
                """)
    }

    /// Counts the reports, and gives the incidents states and values.
    private func finish(_ database: Database) throws {
        try database.execute(
            sql: """
                UPDATE total SET reports = (SELECT count(*) FROM report),
                    identities = (SELECT count(*) FROM reportIdentity),
                    bytes = (SELECT count(*) FROM report) * (SELECT max(size) FROM template);
                UPDATE incident SET clients = x'\(clients)', state = \(Self.state),
                    count = (SELECT sum(count) FROM incidentHour WHERE incidentID = incident.id),
                    firstSeen = (SELECT min(hour) * 3600 FROM incidentHour WHERE incidentID = incident.id),
                    lastSeen = (SELECT min(\(now), max(hour) * 3600 + 3599) FROM incidentHour
                        WHERE incidentID = incident.id);
                INSERT INTO incidentChange (incidentID, state, changedAt, person)
                    SELECT id, state, lastSeen, 'Ada' FROM incident WHERE state <> 'new';
                """)
        for value in Self.values {
            try database.execute(
                sql: """
                    WITH RECURSIVE series (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM series WHERE n < \(value.count))
                    INSERT OR IGNORE INTO incidentFacet (incidentID, facet, value, count)
                    SELECT id, \(value.facet), '\(value.prefix)' || n, count / \(value.count)
                    FROM incident CROSS JOIN series;
                    """)
        }
    }
}
