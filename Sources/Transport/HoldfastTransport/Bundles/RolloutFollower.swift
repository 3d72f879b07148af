import HoldfastTrust
import Synchronization

/// Runs a ``RolloutRound``: fetches the timestamp and the halt, and puts the pending bundle in force.
///
/// Keeps the entity tags of both files in memory. They are small, so a start costs only one download of each.
final class RolloutFollower: Sendable {
    /// The result of a round.
    struct Result: Sendable {
        /// What happened, in order.
        var events: [BundleFetchEvent] = []
        /// The event that replaces that of the bundle, such as `taken` in place of `deferred`.
        var outcome: BundleFetchEvent?
        /// Whether the round must be retried soon, and the delay that the server requested.
        var failure: BundleSchedule.Outcome?
    }

    private struct State {
        var tags: [BundleDownload.Resource: BundleTag] = [:]
        /// The time since which the policy is reported as frozen.
        var frozenSince: Timestamp?
    }

    private let bundles: BundleHolder
    private let configuration: PinBundleFetcher.Configuration
    private let client: HTTPClient
    private let state = Mutex(State())

    init(_ bundles: BundleHolder, configuration: PinBundleFetcher.Configuration, client: HTTPClient) {
        self.bundles = bundles
        self.configuration = configuration
        self.client = client
    }

    /// Follows a request for the bundle. `isConfirmed` says whether the server has the pending bundle.
    func run(isConfirmed: Bool) async -> Result {
        var round = RolloutRound(isConfirmed: isConfirmed, settings: bundles.gate.settings)
        var result = Result()
        var isOver = false
        while !isOver, !Task.isCancelled {
            switch round.next(bundles.rolloutDecision(at: configuration.clock.now())) {
            case .fetchTimestamp: await fetchTimestamp(&result)
            case .fetchHalt: if await !fetchHalt(&result) { round.haltIsUnknown() }
            case .advance: await advance(&result)
            case .done: isOver = true
            }
        }
        if result.outcome == nil, isConfirmed, !Task.isCancelled { result.outcome = waiting() }
        tellFreezing(&result)
        return result
    }

    /// Returns the event for a bundle that is still pending.
    private func waiting() -> BundleFetchEvent? {
        guard let version = bundles.pendingVersion else { return nil }
        switch bundles.rolloutDecision(at: configuration.clock.now()) {
        case .none: return nil
        case .halted(let until): return .halted(version: version, until: until)
        case .waiting(let until): return .deferred(version: version, until: until)
        case .haltMissing(let until): return .deferred(version: version, until: until)
        case .due: return .deferred(version: version, until: configuration.clock.now())
        }
    }

    private func advance(_ result: inout Result) async {
        let (bundles, time) = (bundles, configuration.clock.now())
        let advanced = await Blocking.run {
            Swift.Result { () throws(BundleError) in try bundles.advance(at: time) }
        }
        switch advanced {
        case .success(let outcome):
            guard outcome.acceptance == .taken else { return }
            result.outcome = .taken(version: bundles.version)
            if let problem = outcome.storageProblem { result.events.append(.notKept(problem)) }
        case .failure(let error):
            result.outcome = .refused(error)
            result.failure = .failed(retryAfter: nil)
        }
    }

    // MARK: - Halts and timestamps

    private func fetchTimestamp(_ result: inout Result) async {
        let gate = bundles.gate
        do throws(BundleFetchError) {
            switch try await download(.timestamp, known: gate.timestamp?.bytes) {
            case .notModified: break
            case .bundle(let bytes, let tag):
                let (bundles, time) = (bundles, configuration.clock.now())
                let offered = await Blocking.run {
                    Swift.Result { () throws(BundleError) in try bundles.offer(timestamp: bytes, at: time) }
                }
                if accept(offered, &result) { remember(tag, .timestamp, bytes, time) }
            }
        } catch {
            // A missing timestamp does not delay anything. It is reported once the policy counts as frozen.
            if !Task.isCancelled { result.events.append(.statementFailed(error)) }
        }
        let known = bundles.knownVersion
        if let newest = bundles.gate.newerVersion(than: known) {
            result.events.append(.behind(version: known, newest: newest))
        }
    }

    /// Returns whether it is known which halt is in effect.
    private func fetchHalt(_ result: inout Result) async -> Bool {
        do throws(BundleFetchError) {
            switch try await download(.halt, known: bundles.gate.halt?.bytes) {
            case .notModified: return true
            case .bundle(let bytes, let tag):
                let (bundles, time) = (bundles, configuration.clock.now())
                let offered = await Blocking.run {
                    Swift.Result { () throws(BundleError) in try bundles.offer(halt: bytes, at: time) }
                }
                if accept(offered, &result) {
                    remember(tag, .halt, bytes, time)
                    return true
                }
                if case .failure(let error) = offered, RolloutRound.isHarmless(error) { return true }
                result.failure = .failed(retryAfter: nil)
                return false
            }
        } catch {
            if RolloutRound.isAbsent(error) { return true }
            if !Task.isCancelled { result.events.append(.statementFailed(error)) }
            result.failure = .failed(retryAfter: error.retryAfter)
            return false
        }
    }

    /// Records the events of an offer. Returns whether the statement was accepted or already known.
    private func accept(_ offered: Swift.Result<BundleError?, BundleError>, _ result: inout Result) -> Bool {
        switch offered {
        case .success(let problem):
            if let problem { result.events.append(.notKept(problem)) }
            return true
        case .failure(let error):
            result.events.append(.statementRefused(error))
            return false
        }
    }

    private func download(
        _ resource: BundleDownload.Resource, known: [UInt8]?
    ) async throws(BundleFetchError) -> BundleDownload.Answer {
        let now = configuration.clock.now()
        let tag = state.withLock { $0.tags[resource] }.flatMap { tag in
            known.map { tag.isFor($0) && tag.isFresh(at: now) } == true ? tag.text : nil
        }
        return try await BundleDownload(configuration: configuration, resource: resource).run(by: client, tag: tag)
    }

    private func remember(
        _ tag: String?, _ resource: BundleDownload.Resource, _ bytes: [UInt8], _ time: Timestamp
    ) {
        state.withLock { $0.tags[resource] = BundleTag(tag, for: bytes, at: time) }
    }

    /// Reports once that the policy is frozen, until a timestamp confirms it again.
    private func tellFreezing(_ result: inout Result) {
        let isFrozen = bundles.isFrozen(at: configuration.clock.now())
        let since = bundles.gate.freshAsOf
        let isNew = state.withLock { state in
            defer { state.frozenSince = isFrozen ? since : nil }
            return isFrozen && state.frozenSince != since
        }
        if isNew, let since { result.events.append(.frozen(since: since)) }
    }
}
