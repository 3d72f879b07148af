public import HoldfastTrust
public import Logging
import Metrics
import Synchronization
import Tracing

/// Reports failed pins to the addresses that the policy names, in TrustKit's JSON. To nobody else: there is no default collector.
///
/// ```swift
/// let reporter = PinFailureReporter(configuration: .init(folder: folder, identity: identity), logger: logger)
/// let client = HTTPClient(configuration: .init(trust: .policy(policy).reporting(to: reporter)))
/// try await reporter.run()     // as long as the app lives, in a task of its own; cancelling it is the shutdown
/// ```
/// A connection hands its verdict over and goes on: nothing on its path waits, blocks or fails because of a report. What is worth one
/// is decided by ``ReportLedger``, kept on the disk, and sent from there by a client of the reporter's own, under system trust and without
/// pins, until the collector has answered with a 2xx. From the moment it is on the disk a report survives the end of the process,
/// however that comes, and is sent once at least. Each attempt carries the same `Holdfast-Report-ID` (and
/// `Idempotency-Key`), by which a collector knows a report that comes twice.
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

    /// The longest time between two looks at the wall clock, which may have been set meanwhile.
    private static let longestWait: Int64 = 3_600

    /// Makes a reporter. Touches neither disk nor network before ``run()``; what is recorded until then waits in memory.
    public convenience init(configuration: Configuration, logger: Logger? = nil) {
        let transport = Self.transport(configuration)
        self.init(configuration: configuration, logger: logger) {
            HTTPClient(configuration: transport)
        } entropy: {
            UInt64.random(in: .min ... .max)
        } pause: {
            try await ContinuousClock().sleep(for: $0)  // reason: the edge where waiting happens; tests hand in another
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

    /// What the reporter's own client is made with. It has no sink: a collector that is refused is no report.
    package static func transport(_ configuration: Configuration) -> TransportConfiguration {
        var transport = TransportConfiguration(
            trust: .system(anchors: configuration.anchors), clock: configuration.clock, keepAlive: .zero,
            maximumConnectionsPerHost: 1, hostOverrides: configuration.hostOverrides)
        transport.proxies = configuration.proxies
        transport.metrics = configuration.metrics
        // A collector is told what the report says, and not what the app was doing: no trace context, no baggage.
        transport.tracer = NoOpTracer()
        return transport
    }

    /// Takes a verdict. Returns at once, never blocks and never fails; called from any thread, event loops included.
    public func record(_ verdict: TrustVerdict) {
        guard let report = PinFailureReport(verdict), !report.destinations.isEmpty else { return }
        ring.withLock { $0.put(report) }
        arrived.set()
    }

    /// Keeps and sends reports until the task is cancelled. Then what was recorded is kept, an attempt under way is given up, to be
    /// made again by the next `run`, and this returns.
    ///
    /// Throws ``ReporterError`` at once if the folder cannot be used, or is in use. May be called again after it has returned.
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

    /// Puts on the disk what was recorded. Beside the sending, so that no report waits in memory for a slow collector.
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
