import HoldfastNIO
import HoldfastSystem
public import HoldfastTrust
public import Logging
import Metrics
import Synchronization
import Tracing

/// Brings signed bundles from a server to a `BundleHolder`, again and again.
///
/// ```swift
/// try? bundles.restore(at: TrustClock.system.now())          // at launch
/// let fetcher = PinBundleFetcher(bundles, configuration: .init(url: "https://pins.example.com/shop.bundle", folder: stateFolder))
/// await fetcher.run()                                         // as long as the app lives, in a task of its own
/// ```
/// Whatever goes wrong, the policy in force stays in force, stale or not: nothing opens because a bundle could not be had. The server
/// is judged by system trust and by no pin; what is believed is the signature. A bundle that is taken is in force at once, and open
/// connections that it refuses are cut.
///
/// May be used from any thread.
public final class PinBundleFetcher: Sendable {
    private struct State {
        var tag: BundleTag?
        var hasReadTag = false
        /// That of a bundle that is no newer than the embedded policy. Not kept: the next update of the app may be an older one.
        var outdatedTag: BundleTag?
        /// The version of which it was told that it is stale.
        var staleVersion: Int64?
        var observers: [Int: AsyncStream<BundleFetchEvent>.Continuation] = [:]
        var nextObserver = 0
    }

    private let bundles: BundleHolder
    private let configuration: Configuration
    private let client: HTTPClient
    private let log: TransportLog?
    private let counters: HandleTable<String, Counter>?
    private let entropy: @Sendable () -> UInt64
    private let pause: @Sendable (Duration) async throws -> Void
    private let state = Mutex(State())

    /// How many events wait for a slow reader of ``events``; the oldest go first.
    private static let bufferedEvents = 32

    /// Makes a fetcher. Touches neither disk nor network yet.
    public convenience init(_ bundles: BundleHolder, configuration: Configuration, logger: Logger? = nil) {
        self.init(
            bundles, configuration: configuration, client: HTTPClient(configuration: Self.transport(configuration)),
            logger: logger
        ) {
            UInt64.random(in: .min ... .max)
        } pause: {
            try await ContinuousClock().sleep(for: $0)  // reason: the edge where waiting happens; tests hand in another
        }
    }

    package init(
        _ bundles: BundleHolder, configuration: Configuration, client: HTTPClient, logger: Logger? = nil,
        entropy: @escaping @Sendable () -> UInt64, pause: @escaping @Sendable (Duration) async throws -> Void
    ) {
        self.bundles = bundles
        self.configuration = configuration
        self.client = client
        self.log = logger.map(TransportLog.init)
        let metrics = configuration.metrics ?? MetricsSystem.factory
        self.counters =
            metrics is NOOPMetricsHandler
            ? nil
            : HandleTable { Counter(label: "holdfast.bundles", dimensions: [("event", $0)], factory: metrics) }
        self.entropy = entropy
        self.pause = pause
    }

    deinit {
        for observer in state.withLock({ Array($0.observers.values) }) { observer.finish() }
    }

    /// What the fetcher's own client is made with.
    package static func transport(_ configuration: Configuration) -> TransportConfiguration {
        var transport = TransportConfiguration(
            trust: configuration.trust, clock: configuration.clock, keepAlive: .zero, maximumConnectionsPerHost: 1,
            hostOverrides: configuration.hostOverrides)
        transport.proxies = configuration.proxies
        transport.metrics = configuration.metrics
        // Who hands bundles out learns which one is wanted, and nothing else: no trace context, no baggage.
        transport.tracer = NoOpTracer()
        return transport
    }

    /// What happens from now on. Whoever is slow misses the oldest of more than 32. Ends with the fetcher.
    public var events: AsyncStream<BundleFetchEvent> {
        let (stream, continuation) = AsyncStream.makeStream(
            of: BundleFetchEvent.self, bufferingPolicy: .bufferingNewest(Self.bufferedEvents))
        let number = state.withLock { state in
            let number = state.nextObserver
            state.nextObserver += 1
            state.observers[number] = continuation
            return number
        }
        continuation.onTermination = { [weak self] _ in self?.state.withLock { $0.observers[number] = nil } }
        return stream
    }

    /// Fetches at once, and then again after each interval, until the task is cancelled. After failures the waits are those of
    /// ``Configuration/backoff``.
    public func run() async {
        var schedule = BundleSchedule(
            interval: configuration.interval, jitterPercent: configuration.jitterPercent, backoff: configuration.backoff
        )
        while !Task.isCancelled {
            guard let (_, outcome) = await round() else { return }
            try? await pause(.seconds(schedule.next(after: outcome, entropy: entropy())))
        }
    }

    /// Fetches once, now, whether or not ``run()`` is under way, and returns what came of it: `taken`, `unchanged`, `outdated`,
    /// `refused` or `failed`. Throws `CancellationError` if the task was cancelled; then nothing was changed, or the bundle was taken.
    @discardableResult
    public func fetchNow() async throws(CancellationError) -> BundleFetchEvent {
        guard let (event, _) = await round() else { throw CancellationError() }
        return event
    }

    /// `nil` if the task was cancelled.
    private func round() async -> (BundleFetchEvent, BundleSchedule.Outcome)? {
        await settleDebt()
        let known = await knownTag()
        let event: BundleFetchEvent
        var outcome = BundleSchedule.Outcome.settled
        do throws(BundleFetchError) {
            switch try await BundleDownload(configuration: configuration).run(by: client, tag: known) {
            case .notModified:
                event = isEmbedded ? .outdated(version: bundles.version) : .unchanged(version: bundles.version)
                tell(event)
            case .bundle(let bytes, let tag):
                event = await offer(bytes, tag: tag)
                if case .refused = event { outcome = .failed(retryAfter: nil) }
            }
        } catch {
            if Task.isCancelled { return nil }
            event = .failed(error)
            outcome = .failed(retryAfter: error.retryAfter)
            tell(event)
        }
        tellStaleness()
        // What is owed to the disk is tried again soon, whatever the server said.
        if bundles.isStorageOwed, outcome == .settled { outcome = .failed(retryAfter: nil) }
        return (event, outcome)
    }

    private func offer(_ bytes: [UInt8], tag: String?) async -> BundleFetchEvent {
        let (bundles, time) = (bundles, configuration.clock.now())
        let result = await Blocking.run {
            Result { () throws(BundleError) in try bundles.offer(bytes, at: time) }
        }
        switch result {
        case .failure(let error) where isEmbedded && (error.code == .rollback || error.code == .versionReused):
            // The app was updated, and the server was not yet: nothing that a retry would mend.
            let event = BundleFetchEvent.outdated(version: bundles.version)
            tell(event)
            let outdated = BundleTag(tag, for: bytes, at: time)
            state.withLock { $0.outdatedTag = outdated }
            return event
        case .failure(let error):
            tell(.refused(error))
            return .refused(error)
        case .success(let outcome):
            let event: BundleFetchEvent =
                outcome.acceptance == .taken
                ? .taken(version: bundles.version) : .unchanged(version: bundles.version)
            tell(event)
            if let problem = outcome.storageProblem { tell(.notKept(problem)) }
            await remember(BundleTag(tag, for: bytes, at: time))
            return event
        }
    }

    /// Writes to the disk what could not be written before.
    private func settleDebt() async {
        guard bundles.isStorageOwed else { return }
        let bundles = bundles
        let result = await Blocking.run { Result { () throws(BundleError) in try bundles.keep() } }
        switch result {
        case .success: tell(.kept(version: bundles.version))
        case .failure(let error): tell(.notKept(error))
        }
    }

    // MARK: The entity tag

    private var tagFile: FileStore? {
        configuration.folder.map {
            FileStore(folder: $0, name: "policy.bundle.etag", limit: 2 * BundleTag.maximumLength)
        }
    }

    private var isEmbedded: Bool { bundles.origin == .embedded }

    /// The tag of the bundle in force; `nil` where none is known, or it is not to be relied upon: the server is asked for all of it once
    /// a day, and always where the bundle in force is stale.
    private func knownTag() async -> String? {
        if let tagFile, !state.withLock({ $0.hasReadTag }) {
            let tag = await Blocking.run { (try? tagFile.load()).flatMap { BundleTag(file: $0) } }
            state.withLock { state in
                state.tag = state.tag ?? tag
                state.hasReadTag = true
            }
        }
        let now = configuration.clock.now()
        let (kept, outdated) = state.withLock { ($0.tag, $0.outdatedTag) }
        guard case .bundle(let bundle) = bundles.origin else {
            return outdated.flatMap { $0.isFresh(at: now) ? $0.text : nil }
        }
        guard let tag = kept, tag.isFor(bundle.bytes), tag.isFresh(at: now), !bundle.isStale(at: now) else {
            return nil
        }
        return tag.text
    }

    private func remember(_ tag: BundleTag?) async {
        let isNew = state.withLock { state in
            defer { state.tag = tag }
            return state.tag != tag
        }
        guard isNew, let tag, let tagFile else { return }
        // One that is lost costs a download.
        await Blocking.run { try? tagFile.save(tag.file) }
    }

    // MARK: Telling

    private func tellStaleness() {
        let version = bundles.version
        guard bundles.isStale(at: configuration.clock.now()) else { return }
        let isNew = state.withLock { state in
            defer { state.staleVersion = version }
            return state.staleVersion != version
        }
        if isNew { tell(.stale(version: version)) }
    }

    private func tell(_ event: BundleFetchEvent) {
        counters?[event.label].increment()
        switch event {
        case .taken(let version): log?.write(.bundleTaken, ["version": "\(version)"])
        case .refused(let error): log?.write(.bundleRefused, ["reason": error.description])
        case .failed(let error): log?.write(.bundleNotFetched, ["reason": error.description])
        case .notKept(let error): log?.write(.bundleNotKept, ["reason": error.description])
        case .stale(let version): log?.write(.bundleStale, ["version": "\(version)"])
        case .unchanged, .outdated, .kept: break
        }
        for observer in state.withLock({ Array($0.observers.values) }) { observer.yield(event) }
    }
}
