#if PostgreSQL

import PostgreSQLClient

/// A step from one version of the schema to the next. Never change a released migration.
struct PostgreSQLMigration: Sendable {
    /// The version after the step.
    let version: Int64
    /// The statements of the step, which run in one transaction.
    let sql: String

    /// The steps from an empty database to the current schema.
    static let all = [
        PostgreSQLMigration(version: 1, sql: reports + incidents), PostgreSQLMigration(version: 2, sql: rollouts),
        PostgreSQLMigration(version: 3, sql: identities), PostgreSQLMigration(version: 4, sql: notices),
    ]

    /// The number of the advisory lock that collectors hold while they change the schema or remove reports ("HFPR").
    static let lock: Int64 = 0x4846_5052

    /// Brings the schema to the newest version. Collectors that start at the same time wait for each other.
    ///
    /// - Throws: ``ReportCollectorError/Code/unreadableDatabase`` as the value of the result if the database belongs to
    ///   another program or to a newer collector.
    static func migrate(
        _ connection: PostgreSQLConnection, _ migrations: [PostgreSQLMigration] = all
    ) throws(PostgreSQLError) -> Result<Void, ReportCollectorError> {
        try connection.simple(
            """
            BEGIN; SET LOCAL statement_timeout = 0; SET LOCAL lock_timeout = 0; SELECT pg_advisory_xact_lock(\(lock))
            """)
        let tables = try connection.run(
            PostgreSQLStatement(
                "tables",
                """
                SELECT count(*) FILTER (WHERE c.relname = 'schema_version'), count(*)
                FROM pg_class c WHERE c.relkind IN ('r', 'p') AND c.relnamespace = current_schema()::regnamespace
                """))
        guard let row = tables.first else {
            throw PostgreSQLError(.unexpectedAnswer, "The catalog of the database has no answer.")
        }
        let (isOwn, count) = (try row.integer(0) == 1, try row.integer(1))
        guard isOwn || count == 0 else {
            try connection.simple("ROLLBACK")
            return .failure(
                ReportCollectorError(.unreadableDatabase, "The database's schema contains tables of another program."))
        }
        if !isOwn {
            try connection.simple(
                "CREATE TABLE schema_version (version bigint PRIMARY KEY, program text NOT NULL, applied_at timestamptz "
                    + "NOT NULL DEFAULT now())")
        }
        let versions = try connection.run(
            PostgreSQLStatement(
                "schemaVersion",
                """
                SELECT coalesce(max(version), 0), count(*) FILTER (WHERE program <> 'holdfast collector')
                FROM schema_version
                """))
        let version = try versions.first?.integer(0) ?? 0
        guard try versions.first?.integer(1) == 0, version <= migrations.last?.version ?? 0 else {
            try connection.simple("ROLLBACK")
            return .failure(
                ReportCollectorError(
                    .unreadableDatabase,
                    "The database belongs to another program, or was created by a newer version of the collector."))
        }
        for migration in migrations where migration.version > version {
            try connection.simple(migration.sql)
            try connection.simple(
                "INSERT INTO schema_version (version, program) VALUES (\(migration.version), 'holdfast collector')")
        }
        try connection.simple("COMMIT")
        return .success(())
    }

    /// Reports are partitioned by the day of arrival. Identities are not, because a unique index of a partitioned table
    /// would have to contain the day. Each collector adds to its own row of the totals (`shard`), so that two
    /// collectors do not wait for each other.
    private static let reports = """
        CREATE SEQUENCE report_number AS bigint;
        CREATE TABLE report (
            id bigint NOT NULL,
            received_at bigint NOT NULL,
            host text NOT NULL,
            noted_host text NOT NULL,
            result bigint,
            size bigint NOT NULL,
            details text NOT NULL,
            body bytea,
            incident_id bigint NOT NULL,
            PRIMARY KEY (id, received_at)
        ) PARTITION BY RANGE (received_at);
        CREATE INDEX report_by_host ON report (host, id);
        CREATE INDEX report_by_incident ON report (incident_id, id) WHERE body IS NOT NULL;
        DO $$ BEGIN
            ALTER TABLE report ALTER COLUMN body SET COMPRESSION lz4, ALTER COLUMN details SET COMPRESSION lz4;
        EXCEPTION WHEN feature_not_supported THEN NULL;
        END $$;
        CREATE TABLE report_identity (
            identity bytea PRIMARY KEY,
            digest bytea NOT NULL,
            report_id bigint NOT NULL,
            received_at bigint NOT NULL,
            repeats_until bigint NOT NULL
        );
        CREATE INDEX report_identity_by_time ON report_identity (received_at);
        CREATE TABLE report_total (
            day bigint NOT NULL,
            shard bigint NOT NULL,
            reports bigint NOT NULL,
            bytes bigint NOT NULL,
            PRIMARY KEY (day, shard)
        );
        CREATE TABLE report_pace (
            slot bigint NOT NULL,
            shard bigint NOT NULL,
            reports bigint NOT NULL,
            PRIMARY KEY (slot, shard)
        );

        """

    private static let incidents = """
        CREATE TABLE incident (
            id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
            key bytea NOT NULL UNIQUE,
            app text NOT NULL,
            host text NOT NULL,
            result bigint,
            seen_pin text,
            state text NOT NULL,
            changed_at bigint NOT NULL,
            first_seen bigint NOT NULL,
            last_seen bigint NOT NULL,
            count bigint NOT NULL,
            clients bytea NOT NULL
        );
        CREATE INDEX incident_by_time ON incident (last_seen, id);
        CREATE TABLE incident_facet (
            incident_id bigint NOT NULL REFERENCES incident ON DELETE CASCADE,
            facet bigint NOT NULL,
            value text NOT NULL,
            count bigint NOT NULL,
            PRIMARY KEY (incident_id, facet, value)
        );
        CREATE TABLE incident_hour (
            incident_id bigint NOT NULL REFERENCES incident ON DELETE CASCADE,
            hour bigint NOT NULL,
            count bigint NOT NULL,
            PRIMARY KEY (incident_id, hour)
        );
        CREATE INDEX incident_hour_by_time ON incident_hour (hour);
        CREATE TABLE incident_change (
            id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
            incident_id bigint NOT NULL REFERENCES incident ON DELETE CASCADE,
            state text NOT NULL,
            changed_at bigint NOT NULL,
            person text NOT NULL
        );
        CREATE INDEX incident_change_by_incident ON incident_change (incident_id, id);
        """

    /// As for the totals, each collector counts the failures of a roll-out in a row of its own (`shard`).
    private static let rollouts = """
        CREATE TABLE rollout_failure (
            app text NOT NULL,
            version bigint NOT NULL,
            stage bigint NOT NULL,
            is_cohort bigint NOT NULL,
            shard bigint NOT NULL,
            clients bytea NOT NULL,
            seen_at bigint NOT NULL,
            PRIMARY KEY (app, version, stage, is_cohort, shard)
        );
        CREATE TABLE rollout_stop (
            app text NOT NULL,
            version bigint NOT NULL,
            stage bigint NOT NULL,
            decided_at bigint NOT NULL,
            cohort_failures bigint NOT NULL,
            cohort_clients bigint NOT NULL,
            baseline_failures bigint NOT NULL,
            baseline_clients bigint NOT NULL,
            halt bytea,
            halt_serial bigint NOT NULL DEFAULT 0,
            released_at bigint,
            PRIMARY KEY (app, version)
        );
        """

    /// Identities outlive the reports, so their digests are shortened, and they are counted: by collector, and below 0
    /// for those that were removed. `root` is the digest of a root's name.
    private static let identities = """
        ALTER TABLE report_identity
            ALTER COLUMN identity TYPE bytea USING substring(identity FROM 1 FOR \(IncomingReport.identityBytes)),
            ALTER COLUMN digest TYPE bytea USING substring(digest FROM 1 FOR \(IncomingReport.identityBytes)),
            ALTER COLUMN repeats_until TYPE bigint USING least(repeats_until, received_at + 691200);
        CREATE TABLE identity_total (
            shard bigint PRIMARY KEY,
            identities bigint NOT NULL
        );
        INSERT INTO identity_total (shard, identities) SELECT 0, count(*) FROM report_identity;
        ALTER TABLE incident ADD COLUMN root bytea;
        CREATE INDEX incident_by_root ON incident (root, last_seen) WHERE root IS NOT NULL;
        """

    /// A notice is for the last change of an incident.
    private static let notices = """
        CREATE TABLE webhook_notice (
            incident_id bigint PRIMARY KEY REFERENCES incident ON DELETE CASCADE,
            change text NOT NULL,
            changed_at bigint NOT NULL,
            failures bigint NOT NULL DEFAULT 0,
            due_at bigint NOT NULL DEFAULT 0
        );
        CREATE TABLE webhook_start (
            id bigint PRIMARY KEY CHECK (id = 1),
            started_at bigint NOT NULL
        );
        """
}

#endif
