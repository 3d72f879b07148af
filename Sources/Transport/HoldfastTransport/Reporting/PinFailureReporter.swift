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
/// `ReportLedger` decides which failures to report. Reports are stored on disk and sent by the reporter's own client,
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
    private let sampling = ReportSampling()

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
        let (configuration, observer, entropy, sampling) = (configuration, observer, entropy, sampling)
        let backlog = try await Blocking.run { () throws(ReporterError) in
            try ReportBacklog(configuration, observer: observer, sampling: sampling, entropy: entropy)
        }
        let due = WakeSignal()
        await withTaskGroup(of: Void.self) { group in
            group.addTask { await self.keep(backlog, due) }
            group.addTask { await self.send(backlog, due) }
        }
        await admit(backlog)
        await Blocking.run { backlog.close() }
    }

    /// Stores recorded failures on disk. Runs concurrently with sending, so that no report waits in memory for a slow
    /// collector.
    private func keep(_ backlog: ReportBacklog, _ due: WakeSignal) async {
        while !Task.isCancelled {
            if await admit(backlog) { due.set() }
            await arrived.wait()
        }
    }

    @discardableResult
    private func admit(_ backlog: ReportBacklog) async -> Bool {
        let (reports, lost) = ring.withLock { $0.take() }
        guard !reports.isEmpty || lost > 0 else { return false }
        return await Blocking.run { backlog.admit(reports, lost: lost) }
    }

    private func send(_ backlog: ReportBacklog, _ due: WakeSignal) async {
        let client = client()
        let sender = ReportSender(
            client: client, timeout: configuration.attemptTimeout, clock: configuration.clock,
            fields: configuration.endpoints.mapValues(\.fields), sampling: sampling)
        while !Task.isCancelled {
            switch await Blocking.run({ backlog.next() }) {
            case .send(let delivery):
                guard let (outcome, reason) = await sender.send(delivery) else { break }
                await Blocking.run { backlog.ended(delivery, outcome, reason: reason) }
            case .wait(let seconds): await due.wait(atMost: .seconds(min(seconds, Self.longestWait)), pause)
            case .rest: await due.wait()
            }
        }
        await client.shutdown()
    }
}

/// The unprocessed failures in memory, limited in number.
///
/// When full, a failure of a rule with fewer failures replaces the newest failure of the rule with the most. Dropped
/// failures are counted.
struct ReportRing: Sendable {
    private let capacity: Int
    private var waiting: [PinFailureReport] = []
    /// The number of waiting failures for each rule's host.
    private var counts: [CanonicalHost: Int] = [:]
    private var lost = 0

    init(capacity: Int) {
        self.capacity = max(1, capacity)
    }

    /// Adds a failure if there is room, or if it may replace another.
    mutating func put(_ report: PinFailureReport) {
        let host = report.pinning.notedHost
        if waiting.count >= capacity {
            lost = min(lost + 1, .max - 1)
            guard let most = counts.values.max(), most > counts[host, default: 0] + 1,
                let index = waiting.lastIndex(where: { counts[$0.pinning.notedHost] == most })
            else { return }
            counts[waiting.remove(at: index).pinning.notedHost] = most - 1
        }
        waiting.append(report)
        counts[host, default: 0] += 1
    }

    /// Returns and removes all waiting failures, oldest first, and the number lost since the last call.
    mutating func take() -> (reports: [PinFailureReport], lost: Int) {
        defer {
            waiting = []
            counts = [:]
            lost = 0
        }
        return (waiting, lost)
    }
}

/// The reason why a ``PinFailureReporter`` cannot run.
///
/// - Remedy: Give each reporter a folder of its own that only its user can access.
public struct ReporterError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The stable name of a kind of failure, safe as a metric label.
    ///
    /// The set may grow, so handle unknown values when comparing with the constants.
    public struct Code: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
        /// The stable name.
        public let rawValue: String
        /// Creates a value from its stable name.
        public init(rawValue: String) { self.rawValue = rawValue }
        /// The stable name.
        public var description: String { rawValue }

        /// Another process, or another reporter in this process, already sends reports from the folder.
        public static let folderInUse = Code(rawValue: "folderInUse")
        /// The folder cannot be used: it is a link, belongs to another user, is accessible to others, or a file
        /// operation failed.
        public static let folder = Code(rawValue: "folder")
    }

    /// The kind of failure.
    public var code: Code
    /// A human-readable sentence.
    public var reason: String

    /// Creates an error.
    public init(_ code: Code, _ reason: String) {
        self.code = code
        self.reason = reason
    }

    /// The code and the reason.
    public var description: String { "\(code.rawValue): \(reason)" }
}
