public import Logging
import NIOPosix
import ServerKit
import Synchronization

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
    private let hasRun = Atomic(false)
    private let isStopping = Atomic(false)
    /// Whether connections were accepted.
    let hasListened = Atomic(false)
    private let stopping = AsyncStream.makeStream(of: Never.self)

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
        let listening = AsyncStream.makeStream(of: ReportCollectorAddress.self)
        return try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask {
                defer { listening.continuation.finish() }
                try await collector.run { listening.continuation.yield($0) }
            }
            for await address in listening.stream {
                do {
                    let result = try await body(collector, address)
                    collector.stop()
                    try await group.waitForAll()
                    return result
                } catch {
                    collector.stop()
                    // The error that counts is the one at hand.
                    while await group.nextResult() != nil {}
                    throw error
                }
            }
            // It ended before it listened, and this throws why.
            try await group.waitForAll()
            throw ReportCollectorError(.brokenOff, "The collector was stopped before it listened.")
        }
    }

    /// Listens and serves until ``stop()`` is called, or the task is cancelled, which ends requests in progress at once.
    /// A collector runs once.
    ///
    /// - Parameter onListening: Is told where, once connections are accepted.
    /// - Throws: ``ReportCollectorError``; ``ReportCollectorError/Code/brokenOff`` if it ends without having been asked to.
    public func run(onListening: @escaping @Sendable (ReportCollectorAddress) -> Void = { _ in }) async throws {
        guard !hasRun.exchange(true, ordering: .relaxed) else {
            throw ReportCollectorError(.alreadyRun, "This collector runs already, or has run: make another one.")
        }
        let thread = NIOThreadPool(numberOfThreads: 1)
        thread.start()
        let events = EventOutlet(uptime: configuration.uptime, configuration.onEvent)
        let service = ReportService(configuration: configuration, store: store, thread: thread, events: events)
        let outcome: Swift.Result<Void, any Error>
        do {
            outcome = .success(try await serve(service, onListening: onListening))
        } catch {
            outcome = .failure(error)
        }
        // Every request has ended: nobody calls the store any more.
        try? await thread.shutdownGracefully()
        store.close()
        await events.finish(within: Self.lastEventsTime)
        try outcome.get()
    }

    /// Asks ``run(onListening:)`` to end: no new connections, and requests in progress have
    /// ``ReportCollectorLimits/shutdownTime``. Returns at once.
    public func stop() {
        isStopping.store(true, ordering: .sequentiallyConsistent)
        stopping.continuation.finish()
    }

    /// Whether an end is what was asked for.
    var mayEnd: Bool { Task.isCancelled || isStopping.load(ordering: .sequentiallyConsistent) }

    /// Waits for ``stop()``, or for the task to be cancelled.
    func stopRequested() async {
        for await _ in stopping.stream {}
    }
}
