extension DeskFilling {
    /// Fills a database whose collector does not run.
    func fill(_ server: PostgreSQLServer, progress: (Int) -> Void) throws {
        try server.execute(
            """
            CREATE UNLOGGED TABLE fleet_template AS
                SELECT row_number() OVER (ORDER BY id) - 1 AS number, * FROM report ORDER BY id LIMIT \(incidents);
            CREATE INDEX ON fleet_template (number);
            ANALYZE fleet_template
            """)
        for day in Set(parts.map(\.day)).sorted() { try server.execute(Self.partition(day)) }
        var done = incidents
        for part in parts {
            try server.execute(insert(part))
            done += part.numbers.count
            progress(done)
        }
        for value in Self.values {
            try server.execute(
                """
                INSERT INTO incident_facet (incident_id, facet, value, count)
                SELECT id, \(value.facet), '\(value.prefix)' || n, count / \(value.count)
                FROM incident, generate_series(1, \(value.count)) AS n ON CONFLICT DO NOTHING
                """)
        }
        try server.execute(
            """
            UPDATE incident SET clients = '\\x\(clients)', state = \(Self.state);
            INSERT INTO incident_change (incident_id, state, changed_at, person)
                SELECT id, state, last_seen, 'Ada' FROM incident WHERE state <> 'new';
            DROP TABLE fleet_template
            """)
        // The server does this by itself some minutes after such a load.
        try server.execute("VACUUM ANALYZE")
    }

    /// Makes the partition of a day, as the collector does.
    private static func partition(_ day: Int64) -> String {
        let start = day * 86_400
        return """
            DO $$ BEGIN
                IF to_regclass('report_\(day)') IS NULL THEN
                    CREATE TABLE report_\(day) (
                        LIKE report INCLUDING DEFAULTS INCLUDING CONSTRAINTS INCLUDING COMPRESSION,
                        CHECK (received_at >= \(start) AND received_at < \(start + 86_400)));
                    ALTER TABLE report ATTACH PARTITION report_\(day)
                        FOR VALUES FROM (\(start)) TO (\(start + 86_400));
                END IF;
            END $$
            """
    }

    /// Inserts the reports of a part, with their identities and counts.
    private func insert(_ part: Part) -> String {
        """
        WITH added AS (
            INSERT INTO report
                (id, received_at, host, noted_host, result, size, details, body, incident_id)
            SELECT nextval('report_number'), \(time(part)), host, noted_host, result, size, details, body, incident_id
            FROM generate_series(\(part.numbers.lowerBound)::bigint, \(part.numbers.upperBound - 1)) AS n
                JOIN fleet_template ON number = \(incident(part)) ORDER BY n
            RETURNING id, received_at, size, incident_id
        ), named AS (
            INSERT INTO report_identity (identity, digest, report_id, received_at, repeats_until)
            SELECT substring(sha256(int8send(id)) FROM 1 FOR 16), substring(sha256(int8send(-id)) FROM 1 FOR 16), id,
                received_at, received_at + 691200 FROM added
        ), counted AS (
            INSERT INTO identity_total AS total (shard, identities) SELECT 0, count(*) FROM added
            ON CONFLICT (shard) DO UPDATE SET identities = total.identities + excluded.identities
        ), days AS (
            INSERT INTO report_total AS total (day, shard, reports, bytes)
            SELECT received_at / 86400, 0, count(*), sum(size)::bigint FROM added GROUP BY 1
            ON CONFLICT (day, shard) DO UPDATE SET reports = total.reports + excluded.reports,
                bytes = total.bytes + excluded.bytes
        ), pace AS (
            INSERT INTO report_pace AS pace (slot, shard, reports)
            SELECT received_at / 10, 0, count(*) FROM added WHERE received_at > \(now - 7_200) GROUP BY 1
            ON CONFLICT (slot, shard) DO UPDATE SET reports = pace.reports + excluded.reports
        ), hours AS (
            INSERT INTO incident_hour AS known (incident_id, hour, count)
            SELECT incident_id, received_at / 3600, count(*) FROM added GROUP BY 1, 2
            ON CONFLICT (incident_id, hour) DO UPDATE SET count = known.count + excluded.count
        )
        UPDATE incident SET count = count + more, first_seen = least(first_seen, lowest),
            last_seen = greatest(last_seen, highest)
        FROM (
            SELECT incident_id, count(*) AS more, min(received_at) AS lowest, max(received_at) AS highest
            FROM added GROUP BY 1
        ) AS counted WHERE incident.id = counted.incident_id
        """
    }
}
