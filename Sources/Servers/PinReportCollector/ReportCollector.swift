import HoldfastTrust
public import Logging
import PinReportDesk
import ServerKit

/// Receives reports of pin failures from TrustKit and from Holdfast's own reporter, and stores them in SQLite or
/// PostgreSQL.
///
/// A report that was answered with 201 is on the disk and survives a power failure. Anyone can send reports, and
/// reports can be forged. Limits bound the resources that senders can use, and no count proves an attack.
///
/// ```swift
/// var configuration = ReportCollectorConfiguration()
/// configuration.databasePath = "reports.sqlite"
/// try await ReportCollector.with(configuration) { collector, address in
///     // POST address.url + "/reports", GET address.url + "/reports"
/// }
/// ```
///
/// Thread-safe.
public final class ReportCollector: Sendable {
    let configuration: ReportCollectorConfiguration
    let logger: Logger
    /// The sessions of the report desk.
    let gate: DeskGate
    /// The SQLite database; `nil` with PostgreSQL, to which ``run(onListening:)`` connects.
    private let embedded: SQLiteReportStore?
    /// The time that the receiver has for the last events.
    private static let lastEventsTime = Duration.seconds(2)
    let runState = RunState<ReportCollectorError>("collector")

    /// Checks the configuration and opens a SQLite database. Blocks on the disk. Does not listen yet.
    ///
    /// Throws ``ReportCollectorError`` for an unusable setting or database.
    public init(configuration: ReportCollectorConfiguration, logger: Logger? = nil) throws(ReportCollectorError) {
        try configuration.check()
        try configuration.desk.checkHaltFile()
        self.configuration = configuration
        gate = DeskGate(configuration)
        self.logger = logger ?? .silent("ReportCollector")
        embedded = configuration.databaseURL == nil ? try SQLiteReportStore(path: configuration.databasePath) : nil
    }

    /// Runs a collector while `body` runs, and returns when it has ended.
    public static func with<Result: Sendable>(
        _ configuration: ReportCollectorConfiguration, logger: Logger? = nil,
        _ body: @Sendable (ReportCollector, ReportCollectorAddress) async throws -> Result
    ) async throws -> Result {
        let collector = try ReportCollector(configuration: configuration, logger: logger)
        return try await collector.runState.with {
            try await collector.run()
        } _: { port in
            try await body(collector, collector.address(port: port))
        }
    }

    /// Listens and serves until ``stop()`` is called.
    func runUntilStopped(onListening: @escaping @Sendable (ReportCollectorAddress) -> Void) async throws {
        try runState.begin()
        let events = EventOutlet(uptime: configuration.uptime, configuration.onEvent)
        var failure: ReportCollectorError?
        do throws(ReportCollectorError) {
            let (store, concurrency) = try await openStore()
            let service = ReportService(
                configuration: configuration, store: store, concurrency: concurrency, events: events,
                isDraining: { self.runState.isStopRequested })
            do {
                try await serve(service, onListening: onListening)
            } catch {
                failure = runState.explanation(of: error, host: configuration.host, port: configuration.port)
            }
            // Every request has ended, so the store is no longer called.
            await store.close()
        } catch {
            failure = error
        }
        await events.finish(within: Self.lastEventsTime)
        runState.ended(failure)
        if let failure { throw failure }
    }

    /// Returns the store, and the number of batches that it can store at the same time.
    private func openStore() async throws(ReportCollectorError) -> (store: any ReportStore, concurrency: Int) {
        if let embedded { return (embedded, 1) }
        #if PostgreSQL
        guard let url = configuration.databaseURL else { throw ReportDatabaseURL.unsupported }
        let store = try await PostgreSQLReportStore.open(
            url: url, dangerouslyAllowsUnverifiedServer: configuration.dangerouslyAllowsUnverifiedDatabase,
            at: configuration.clock.now(), entropy: configuration.entropy)
        return (store, PostgreSQLReportStore.concurrentBatches)
        #else
        throw ReportDatabaseURL.unsupported
        #endif
    }

    /// Stops ``run(onListening:)``: new connections are refused, and requests in progress have
    /// ``ReportCollectorLimits/shutdownTime`` to end. Returns immediately.
    public func stop() {
        runState.requestStop()
    }

    /// Returns the URL of the report desk; `nil` if the desk is disabled.
    ///
    /// Without a token for readers, the URL signs one person in, once and within 15 minutes. Such a URL is a secret.
    /// Each call returns another one, and the last 16 are valid. With a token, people sign in with it, so that logs
    /// contain no secret.
    ///
    /// - Parameter address: The address of the running collector.
    public func deskURL(at address: ReportCollectorAddress) -> String? {
        guard configuration.desk.isEnabled else { return nil }
        let origin = configuration.desk.origin ?? address.url
        guard configuration.isReadableWithoutToken else { return origin + DeskPaths.root }
        return "\(origin)\(DeskPaths.signIn)?once=\(gate.oneTimeToken())"
    }

    /// Returns the collector's address for this port.
    func address(port: Int) -> ReportCollectorAddress {
        ReportCollectorAddress(host: configuration.host, port: port, isSecure: configuration.tls != nil)
    }
}

/// The address of a running ``ReportCollector``.
public struct ReportCollectorAddress: Hashable, Sendable {
    /// The configured host or IP address.
    public let host: String
    /// The port.
    public let port: Int
    /// Whether the collector uses TLS.
    public let isSecure: Bool

    /// The collector's URL, without a trailing slash. Reports are posted to the paths in
    /// ``ReportCollectorConfiguration/intakePaths`` below it.
    public var url: String { "\(isSecure ? "https" : "http")://\(host.contains(":") ? "[\(host)]" : host):\(port)" }
}
