public import HoldfastTrust
public import Logging
import Metrics
import Synchronization
import Tracing

/// Reports pin failures as JSON to the addresses that the policy names. There is no default collector.
///
/// ```swift
/// let reporter = PinFailureReporter(configuration: .init(folder: folder, identity: identity), logger: logger)
/// let client = HTTPClient(configuration: .init(trust: .policy(policy).reporting(to: reporter)))
/// try await reporter.run()     // in its own task, for the lifetime of the app; cancel it to shut down
/// ```
/// A connection passes its verdict to the reporter and continues: it never waits, blocks or fails because of a report.
/// ``ReportLedger`` decides which failures to report. Reports are stored on disk and sent by the reporter's own client,
/// with system trust and without pins, until the collector responds with a 2xx status.
///
/// A stored report survives any end of the process and is sent at least once. Each attempt has the same
/// `Holdfast-Report-ID` (and `Idempotency-Key`), so that a collector can detect duplicates.
///
/// May be used from any thread.
public final class PinFailureReporter: TrustEventSink {
    private let configuration: Configuration
    private let observer: ReportObserver
    private let client: @Sendable () -> HTTPClient
    private let entropy: @Sendable () -> UInt64
    private let pause: @Sendable (Duration) async throws -> Void
    private let ring: Mutex<ReportRing>
    private let arrived = WakeSignal()

    /// The maximum time between two checks of the wall clock, which may be changed at any time, in seconds.
    private static let longestWait: Int64 = 3_600

    /// Creates a reporter. Does not access the disk or the network before ``run()``; earlier failures wait in memory.
    public convenience init(configuration: Configuration, logger: Logger? = nil) {
        let transport = Self.transport(configuration)
        self.init(configuration: configuration, logger: logger) {
            HTTPClient(configuration: transport)
        } entropy: {
            UInt64.random(in: .min ... .max)
        } pause: {
            try await ContinuousClock().sleep(for: $0)  // reason: the only real wait; tests replace it
        }
    }

    package init(
        configuration: Configuration, logger: Logger? = nil, client: @escaping @Sendable () -> HTTPClient,
        entropy: @escaping @Sendable () -> UInt64, pause: @escaping @Sendable (Duration) async throws -> Void
    ) {
        self.configuration = configuration
        self.observer = ReportObserver(
            metrics: configuration.metrics ?? MetricsSystem.factory, log: logger.map(TransportLog.init),
            tell: configuration.onEvent)
        self.client = client
        self.entropy = entropy
        self.pause = pause
        self.ring = Mutex(ReportRing(capacity: configuration.waiting))
    }

    /// Returns the configuration of the reporter's own client. It has no event sink, so a refused collector causes no
    /// report.
    package static func transport(_ configuration: Configuration) -> TransportConfiguration {
        var transport = TransportConfiguration(
            trust: .system(anchors: configuration.anchors), clock: configuration.clock, keepAlive: .zero,
            maximumConnectionsPerHost: 1, hostOverrides: configuration.hostOverrides)
        transport.proxies = configuration.proxies
        transport.metrics = configuration.metrics
        // A collector receives only the report: no trace context and no baggage.
        transport.tracer = NoOpTracer()
        return transport
    }

    /// Records a verdict. Returns at once, never blocks and never fails. May be called from any thread, including event
    /// loops.
    public func record(_ verdict: TrustVerdict) {
        guard let report = PinFailureReport(verdict), !report.destinations.isEmpty else { return }
        ring.withLock { $0.put(report) }
        arrived.set()
    }

    /// Stores and sends reports until the task is cancelled. It then stores all recorded failures, cancels an attempt
    /// in progress and returns; the next `run` repeats that attempt.
    ///
    /// May be called again after it has returned.
    ///
    /// - Throws: ``ReporterError`` at once if the folder cannot be used or is in use.
    public func run() async throws(ReporterError) {
        let (configuration, observer, entropy) = (configuration, observer, entropy)
        let desk = try await Blocking.run { () throws(ReporterError) in
            try ReportDesk(configuration, observer: observer, entropy: entropy)
        }
        let due = WakeSignal()
        await withTaskGroup(of: Void.self) { group in
            group.addTask { await self.keep(desk, due) }
            group.addTask { await self.send(desk, due) }
        }
        await admit(desk)
        await Blocking.run { desk.close() }
    }

    /// Stores recorded failures on disk. Runs concurrently with sending, so that no report waits in memory for a slow
    /// collector.
    private func keep(_ desk: ReportDesk, _ due: WakeSignal) async {
        while !Task.isCancelled {
            if await admit(desk) { due.set() }
            await arrived.wait()
        }
    }

    @discardableResult
    private func admit(_ desk: ReportDesk) async -> Bool {
        let (reports, lost) = ring.withLock { $0.take() }
        guard !reports.isEmpty || lost > 0 else { return false }
        return await Blocking.run { desk.admit(reports, lost: lost) }
    }

    private func send(_ desk: ReportDesk, _ due: WakeSignal) async {
        let client = client()
        let sender = ReportSender(
            client: client, timeout: configuration.attemptTimeout, clock: configuration.clock,
            fields: configuration.endpoints.mapValues(\.fields))
        while !Task.isCancelled {
            switch await Blocking.run({ desk.next() }) {
            case .send(let delivery):
                guard let (outcome, reason) = await sender.send(delivery) else { break }
                await Blocking.run { desk.ended(delivery, outcome, reason: reason) }
            case .wait(let seconds): await due.wait(atMost: .seconds(min(seconds, Self.longestWait)), pause)
            case .rest: await due.wait()
            }
        }
        await client.shutdown()
    }
}
