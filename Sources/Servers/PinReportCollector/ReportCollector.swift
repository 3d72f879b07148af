public import Logging
import NIOPosix
import ServerKit

/// Receives reports of pin failures, from TrustKit and from Holdfast's own reporter, and keeps them in SQLite.
///
/// A report that was answered with 201 is on the disk, also through a power cut. Anybody can post reports, and they can be
/// made up: limits bound what strangers cost, and no number here is proof of an attack.
///
/// ```swift
/// var configuration = ReportCollectorConfiguration()
/// configuration.databasePath = "reports.sqlite"
/// try await ReportCollector.with(configuration) { collector, address in
///     // POST address.url + "/reports", GET address.url + "/reports"
/// }
/// ```
/// May be used from any thread.
public final class ReportCollector: Sendable {
    let configuration: ReportCollectorConfiguration
    let logger: Logger
    private let store: ReportStore
    /// How long the receiver of events has for the last ones.
    private static let lastEventsTime = Duration.seconds(2)
    let runState = RunState<ReportCollectorError>("collector")

    /// Checks the configuration and opens the database; blocks on the disk while it does. Nothing listens yet.
    ///
    /// Throws ``ReportCollectorError`` for a setting or a database that cannot be used.
    public init(configuration: ReportCollectorConfiguration, logger: Logger? = nil) throws(ReportCollectorError) {
        try configuration.check()
        self.configuration = configuration
        self.logger = logger ?? .silent("ReportCollector")
        store = try ReportStore(path: configuration.databasePath)
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

    /// Listens and serves until ``stop()`` is called, or the task is cancelled, which ends requests in progress at once.
    /// A collector runs once.
    ///
    /// - Parameter onListening: Is told where, once connections are accepted.
    /// - Throws: ``ReportCollectorError``; ``ReportCollectorError/Code/brokenOff`` if it ends without having been asked to.
    public func run(onListening: @escaping @Sendable (ReportCollectorAddress) -> Void = { _ in }) async throws {
        try runState.begin()
        let thread = NIOThreadPool(numberOfThreads: 1)
        thread.start()
        let events = EventOutlet(uptime: configuration.uptime, configuration.onEvent)
        let service = ReportService(configuration: configuration, store: store, thread: thread, events: events)
        var failure: ReportCollectorError?
        do {
            try await serve(service, onListening: onListening)
        } catch {
            failure = runState.explanation(of: error, host: configuration.host, port: configuration.port)
        }
        // Every request has ended: nobody calls the store any more.
        try? await thread.shutdownGracefully()
        store.close()
        await events.finish(within: Self.lastEventsTime)
        runState.ended(failure)
        if let failure { throw failure }
    }

    /// Asks ``run(onListening:)`` to end: no new connections, and requests in progress have
    /// ``ReportCollectorLimits/shutdownTime``. Returns at once.
    public func stop() {
        runState.requestStop()
    }

    /// Where the collector listens, on this port.
    func address(port: Int) -> ReportCollectorAddress {
        ReportCollectorAddress(host: configuration.host, port: port, isSecure: configuration.tls != nil)
    }
}
