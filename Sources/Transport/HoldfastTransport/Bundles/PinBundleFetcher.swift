import HoldfastNIO
import HoldfastSystem
public import HoldfastTrust
public import Logging
import Metrics
import Synchronization
import Tracing

/// Fetches signed bundles from a server periodically and passes them to a `BundleHolder`.
///
/// ```swift
/// try? bundles.restore(at: TrustClock.system.now())  // at launch
/// let fetcher = PinBundleFetcher(
///     bundles, configuration: .init(url: "https://pins.example.com/shop.bundle", folder: stateFolder))
/// await fetcher.run()  // in its own task, for the lifetime of the app
/// ```
/// If an attempt fails, the policy in force stays in force, even if it is stale: a missing bundle never weakens the
/// policy. The server is verified by system trust without pins, because the bundle's signature is what counts. An
/// accepted bundle is in force at once, and open connections that it refuses are closed.
///
/// May be used from any thread.
public final class PinBundleFetcher: Sendable {
    private struct State {
        var tag: BundleTag?
        var hasReadTag = false
        /// The tag of a bundle that is not newer than the embedded policy. It is not stored, because the next version
        /// of the app may embed an older policy.
        var outdatedTag: BundleTag?
        /// The version that was reported as stale.
        var staleVersion: Int64?
        var observers: [Int: AsyncStream<BundleFetchEvent>.Continuation] = [:]
        var nextObserver = 0
    }

    private let bundles: BundleHolder
    private let configuration: Configuration
    private let client: HTTPClient
    private let rollout: RolloutFollower
    private let log: TransportLog?
    private let counters: HandleTable<String, Counter>?
    private let entropy: @Sendable () -> UInt64
    private let pause: @Sendable (Duration) async throws -> Void
    private let state = Mutex(State())

    /// The number of events that are buffered for a reader of ``events``. The oldest are dropped.
    private static let bufferedEvents = 32

    /// Creates a fetcher. Does not access the disk or the network yet.
    public convenience init(_ bundles: BundleHolder, configuration: Configuration, logger: Logger? = nil) {
        self.init(
            bundles, configuration: configuration, client: HTTPClient(configuration: Self.transport(configuration)),
            logger: logger
        ) {
            UInt64.random(in: .min ... .max)
        } pause: {
            try await ContinuousClock().sleep(for: $0)  // reason: the only real wait; tests replace it
        }
    }

    package init(
        _ bundles: BundleHolder, configuration: Configuration, client: HTTPClient, logger: Logger? = nil,
        entropy: @escaping @Sendable () -> UInt64, pause: @escaping @Sendable (Duration) async throws -> Void
    ) {
        self.bundles = bundles
        self.configuration = configuration
        self.client = client
        self.rollout = RolloutFollower(bundles, configuration: configuration, client: client)
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

    /// Returns the configuration of the fetcher's own client.
    package static func transport(_ configuration: Configuration) -> TransportConfiguration {
        var transport = TransportConfiguration(
            trust: configuration.trust, clock: configuration.clock, keepAlive: .zero, maximumConnectionsPerHost: 1,
            hostOverrides: configuration.hostOverrides)
        transport.proxies = configuration.proxies
        transport.metrics = configuration.metrics
        // The server receives only the request for a bundle: no trace context and no baggage.
        transport.tracer = NoOpTracer()
        return transport
    }

    /// The events from now on. A slow reader misses the oldest events if more than 32 are waiting. The stream ends when
    /// the fetcher is released.
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

    /// Fetches at once and then after each interval, until the task is cancelled. After failures it waits according to
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

    /// Fetches once, also while ``run()`` is running.
    ///
    /// - Returns: The result: `taken`, `deferred`, `halted`, `unchanged`, `outdated`, `refused` or `failed`.
    /// - Throws: `CancellationError` if the task was cancelled. The policy is then unchanged, or the bundle was
    ///   accepted.
    @discardableResult
    public func fetchNow() async throws(CancellationError) -> BundleFetchEvent {
        guard let (event, _) = await round() else { throw CancellationError() }
        return event
    }

    /// Runs one attempt. Returns `nil` if the task was cancelled.
    private func round() async -> (BundleFetchEvent, BundleSchedule.Outcome)? {
        await settleDebt()
        let known = await knownTag()
        var event: BundleFetchEvent
        var outcome = BundleSchedule.Outcome.settled
        do throws(BundleFetchError) {
            switch try await BundleDownload(configuration: configuration).run(by: client, tag: known) {
            case .notModified:
                event = confirmed
                tellUnlessDeferred(event)
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
        if await follow(&event, &outcome) { return nil }
        tellStaleness()
        // A pending write to disk is retried soon, whatever the server responded.
        if bundles.isStorageOwed, outcome == .settled { outcome = .failed(retryAfter: nil) }
        return (event, outcome)
    }

    /// The event for a server that has the bundle whose tag was sent.
    private var confirmed: BundleFetchEvent {
        if let pending = bundles.pending, state.withLock({ $0.tag })?.isFor(pending.bytes) == true {
            return .deferred(version: pending.version, until: nil)
        }
        return isEmbedded ? .outdated(version: bundles.version) : .unchanged(version: bundles.version)
    }

    /// Fetches the timestamp and the halt, and puts the pending bundle in force. Returns whether the task was
    /// cancelled.
    private func follow(_ event: inout BundleFetchEvent, _ outcome: inout BundleSchedule.Outcome) async -> Bool {
        var isConfirmed = false
        if case .deferred = event { isConfirmed = true }
        let followed = await rollout.run(isConfirmed: isConfirmed)
        for event in followed.events { tell(event) }
        if isConfirmed {
            if followed.outcome == nil, Task.isCancelled { return true }
            event = followed.outcome ?? event
            tell(event)
        }
        if outcome == .settled, let failure = followed.failure { outcome = failure }
        return false
    }

    private func offer(_ bytes: [UInt8], tag: String?) async -> BundleFetchEvent {
        let (bundles, time) = (bundles, configuration.clock.now())
        let result = await Blocking.run {
            Result { () throws(BundleError) in try bundles.offer(bytes, at: time) }
        }
        switch result {
        case .failure(let error) where isEmbedded && (error.code == .rollback || error.code == .versionReused):
            // The app was updated before the server. Retrying would not help.
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
                switch outcome.acceptance {
                case .taken: .taken(version: bundles.version)
                case .unchanged: .unchanged(version: bundles.version)
                case .deferred(let until): .deferred(version: bundles.knownVersion, until: until)
                }
            tellUnlessDeferred(event)
            if let problem = outcome.storageProblem { tell(.notKept(problem)) }
            await remember(BundleTag(tag, for: bytes, at: time))
            return event
        }
    }

    /// Retries a write to disk that failed before.
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

    /// Returns the tag of the bundle in force, or `nil` if it is unknown or must not be used. The complete bundle is
    /// requested at least once a day, and always while the bundle in force is stale.
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
        if let pending = bundles.pending, let kept, kept.isFor(pending.bytes) {
            return kept.isFresh(at: now) ? kept.text : nil
        }
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
        // A lost tag costs only one more download.
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

    /// Reports an event. The event of a pending bundle is reported after its halt is known.
    private func tellUnlessDeferred(_ event: BundleFetchEvent) {
        if case .deferred = event { return }
        tell(event)
    }

    private func tell(_ event: BundleFetchEvent) {
        counters?[event.label].increment()
        switch event {
        case .taken(let version): log?.write(.bundleTaken, ["version": "\(version)"])
        case .refused(let error): log?.write(.bundleRefused, ["reason": error.description])
        case .failed(let error): log?.write(.bundleNotFetched, ["reason": error.description])
        case .notKept(let error): log?.write(.bundleNotKept, ["reason": error.description])
        case .stale(let version): log?.write(.bundleStale, ["version": "\(version)"])
        case .halted(let version, let until):
            log?.write(.bundleHalted, ["version": "\(version)", "until": "\(until)"])
        case .frozen(let since): log?.write(.policyFrozen, ["since": "\(since)"])
        case .statementRefused(let error): log?.write(.statementRefused, ["reason": error.description])
        case .statementFailed(let error): log?.write(.statementNotFetched, ["reason": error.description])
        case .unchanged, .outdated, .kept, .deferred, .behind: break
        }
        for observer in state.withLock({ Array($0.observers.values) }) { observer.yield(event) }
    }
}
