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
        var machine: BundleFetchMachine
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
    private let state: Mutex<State>

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
        self.state = Mutex(State(machine: Self.machine(configuration)))
    }

    private static func machine(_ configuration: Configuration) -> BundleFetchMachine {
        BundleFetchMachine(
            schedule: BundleSchedule(
                interval: configuration.interval, jitterPercent: configuration.jitterPercent,
                backoff: configuration.backoff),
            launchSpread: configuration.launchSpread.components.seconds, readsTag: configuration.folder != nil)
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
        let draw = configuration.launchSpread > .zero ? entropy() : 0
        let wait = state.withLock { $0.machine.launched(entropy: draw) }
        if wait > 0 { try? await pause(.seconds(wait)) }
        while !Task.isCancelled {
            guard let actions = await round() else { return }
            let number = entropy()
            let wait = state.withLock { $0.machine.wait(after: actions.outcome, entropy: number) }
            try? await pause(.seconds(wait))
        }
    }

    /// Fetches once, also while ``run()`` is running.
    ///
    /// - Returns: The result: `taken`, `deferred`, `halted`, `unchanged`, `outdated`, `refused` or `failed`.
    /// - Throws: `CancellationError` if the task was cancelled. The policy is then unchanged, or the bundle was
    ///   accepted.
    @discardableResult
    public func fetchNow() async throws(CancellationError) -> BundleFetchEvent {
        guard let actions = await round() else { throw CancellationError() }
        return actions.result
    }

    /// Runs one attempt. Returns `nil` if the task was cancelled.
    private func round() async -> BundleFetchMachine.Actions? {
        await prepare()
        let (now, inForce) = (configuration.clock.now(), inForce)
        let tag = state.withLock { $0.machine.request(inForce, at: now) }
        let answer: BundleFetchMachine.Answer
        var time = now
        do throws(BundleFetchError) {
            switch try await BundleDownload(configuration: configuration).run(by: client, tag: tag) {
            case .notModified: answer = .notModified
            case .bundle(let bytes, let tag):
                time = configuration.clock.now()
                answer = .bundle(
                    digest: SHA256Hash(hashing: bytes), tag: tag, await offer(bytes, at: time))
            }
        } catch {
            if Task.isCancelled { return nil }
            answer = .failed(error)
        }
        let decided = self.inForce
        var actions = state.withLock { $0.machine.ended(answer, decided, at: time) }
        await perform(actions)
        if await follow(&actions) { return nil }
        let result = self.inForce
        if let stale = state.withLock({ $0.machine.finish(&actions, result) }) { tell(stale) }
        return actions
    }

    /// Fetches the timestamp and the halt, and puts the pending bundle in force. Returns whether the task was
    /// cancelled.
    private func follow(_ actions: inout BundleFetchMachine.Actions) async -> Bool {
        let followed = await rollout.run(isConfirmed: actions.isPendingConfirmed)
        for event in followed.events { tell(event) }
        if actions.isPendingConfirmed {
            if followed.outcome == nil, Task.isCancelled { return true }
            actions.result = followed.outcome ?? actions.result
            tell(actions.result)
        }
        if actions.outcome == .settled, let failure = followed.failure { actions.outcome = failure }
        return false
    }

    /// Retries a write to disk that failed before, and reads the stored tag.
    private func prepare() async {
        let inForce = inForce
        let preparation = state.withLock { $0.machine.begin(inForce) }
        if preparation.writesBundle {
            let bundles = bundles
            let problem = await Blocking.run { () -> BundleError? in
                do throws(BundleError) { try bundles.keep() } catch { return error }
                return nil
            }
            tell(state.withLock { $0.machine.wrote(version: bundles.version, problem: problem) })
        }
        if preparation.readsTag, let tagFile {
            let tag = await Blocking.run { (try? tagFile.load()).flatMap { BundleTag(file: $0) } }
            state.withLock { $0.machine.read(tag) }
        }
    }

    private func offer(_ bytes: [UInt8], at time: Timestamp) async -> BundleFetchMachine.Decision {
        let bundles = bundles
        return await Blocking.run { () -> BundleFetchMachine.Decision in
            do throws(BundleError) {
                let outcome = try bundles.offer(bytes, at: time)
                return .accepted(outcome.acceptance, storageProblem: outcome.storageProblem)
            } catch {
                return .refused(error)
            }
        }
    }

    private func perform(_ actions: BundleFetchMachine.Actions) async {
        // The event of a pending bundle is reported after its halt is known.
        if !actions.isPendingConfirmed { tell(actions.result) }
        if let notKept = actions.notKept { tell(notKept) }
        if let tag = actions.storesTag, let tagFile {
            // A lost tag costs only one more download.
            await Blocking.run { try? tagFile.save(tag.file) }
        }
    }

    /// The state of the policy in force, as the machine needs it.
    private var inForce: BundleFetchMachine.InForce {
        let digest: SHA256Hash? =
            if case .bundle(let bundle) = bundles.origin { SHA256Hash(hashing: bundle.bytes) } else { nil }
        return BundleFetchMachine.InForce(
            version: bundles.version, digest: digest,
            pending: bundles.pending.map { .init(version: $0.version, digest: SHA256Hash(hashing: $0.bytes)) },
            isStale: bundles.isStale(at: configuration.clock.now()), isStorageOwed: bundles.isStorageOwed)
    }

    private var tagFile: FileStore? {
        configuration.folder.map {
            FileStore(folder: $0, name: "policy.bundle.etag", limit: 2 * BundleTag.maximumLength)
        }
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
