import HTTPTypes
import HoldfastNIO
import Metrics
import NIOCore
import Synchronization

/// The state that a client shares with its requests: the dialler and the pools.
final class ClientCore: Sendable {
    private struct Storage {
        var pools: [DialTarget: OriginPool] = [:]
        /// The diallers of the pools whose requests have their own trust.
        var diallers: [DialTarget: NetworkDialler] = [:]
        /// The most recently used pool. Most clients connect to a single server.
        var last: (target: DialTarget, pool: OriginPool)?
        var isShutDown = false

        /// Removes the pools without connections, dials and requests. The pool decides under its own lock whether it
        /// can retire, so a request that reaches a retired pool moves to a new one.
        mutating func forgetUnused() {
            pools = pools.filter { !$0.value.retire() }
            diallers = diallers.filter { pools[$0.key] != nil }
            if let used = last, pools[used.target] == nil { last = nil }
        }
    }

    /// An origin as the caller wrote it, and its parsed form.
    private struct KnownOrigin {
        var scheme: String?
        var authority: String?
        var url: RequestURL
    }

    let configuration: TransportConfiguration
    let dialler: NetworkDialler
    /// The instruments that observe requests, or `nil` without metrics and tracing.
    let instruments: RequestInstruments?
    private let poolMetrics: PoolMetrics?
    private let budget: ConnectionBudget
    private let loops: any EventLoopGroup
    private let storage = Mutex(Storage())
    private let lastOrigin = Mutex<KnownOrigin?>(nil)

    init(configuration: TransportConfiguration, dialler: NetworkDialler, loops: any EventLoopGroup) {
        self.configuration = configuration
        self.dialler = dialler
        self.loops = loops
        self.instruments = RequestInstruments(configuration)
        self.poolMetrics = PoolMetrics(configuration.metrics ?? MetricsSystem.factory)
        self.budget = ConnectionBudget(limit: configuration.limits.connections)
        budget.onStarvation { [weak self] in self?.makeRoom() }
    }

    /// The current time of the event loops, which all deadlines use.
    var now: NIODeadline { loops.any().now }

    /// Runs `action` after a delay.
    func schedule(after delay: Duration, _ action: @escaping @Sendable () -> Void) -> Scheduled<Void> {
        loops.any().scheduleTask(in: TimeAmount(clamping: delay), action)
    }

    /// Parses the URL of a request. If the scheme and host equal those of the previous request, they are not parsed
    /// again.
    func url(of request: HTTPRequest) throws(TransportError) -> RequestURL {
        let (scheme, authority) = (request.scheme, request.authority)
        let known = lastOrigin.withLock { origin in
            origin.flatMap { $0.authority == authority && $0.scheme == scheme ? $0.url : nil }
        }
        if let known { return try known.with(path: request.path) }
        let url = try RequestURL(scheme: scheme, authority: authority, path: request.path)
        lastOrigin.withLock { $0 = KnownOrigin(scheme: scheme, authority: authority, url: url) }
        return url
    }

    /// Returns the pool for a target. Throws `shutDown` after a shutdown.
    func pool(for target: DialTarget) throws(TransportError) -> OriginPool {
        let pool = storage.withLock { storage -> OriginPool? in
            guard !storage.isShutDown else { return nil }
            if let last = storage.last, last.target == target { return last.pool }
            if storage.pools[target] == nil, storage.pools.count >= Self.keptPools { storage.forgetUnused() }
            let pool: OriginPool
            if let known = storage.pools[target] {
                pool = known
            } else {
                pool = makePool(for: target, in: &storage)
                storage.pools[target] = pool
            }
            storage.last = (target, pool)
            return pool
        }
        guard let pool else { throw .shutDown }
        return pool
    }

    private func makePool(for target: DialTarget, in storage: inout Storage) -> OriginPool {
        var dialler = self.dialler
        if let trust = target.variation?.trust {
            // A dialler of its own verifies the pool's connections now and after each change of this trust's policy.
            dialler = NetworkDialler(dialler, trust: trust.context)
            storage.diallers[target] = dialler
        }
        return OriginPool(
            target: target, configuration: configuration, dialler: dialler, budget: budget, loops: loops,
            metrics: poolMetrics, retries: instruments?.metrics?.retries,
            move: { [weak self] exchange, fresh in
                guard let self else { return exchange.fail(TransportError.shutDown) }
                self.move(exchange, fresh: fresh)
            })
    }

    /// The open connections, oldest first.
    var live: [ConnectionLedger.Entry] {
        let diallers = storage.withLock { [dialler] + $0.diallers.values }
        return diallers.flatMap(\.live).sorted { $0.id < $1.id }
    }

    /// The number of pools above which unused pools are removed. The limit bounds memory after redirects through many
    /// hosts. Some unused pools are kept because they remember the server's protocol.
    static let keptPools = 64

    /// The number of pools.
    var poolCount: Int { storage.withLock { $0.pools.count } }

    /// Moves a request to a new pool if its pool was removed before the request reached it.
    private func move(_ exchange: Exchange, fresh: Bool) {
        do throws(TransportError) {
            let pool = try pool(for: exchange.request.target)
            exchange.move(to: pool)
            pool.submit(exchange, fresh: fresh)
        } catch {
            exchange.fail(error)
        }
    }

    /// The number of requests that wait in queues.
    var waitingCount: Int {
        storage.withLock { $0.pools.values.map(\.self) }.reduce(0) { $0 + $1.waitingCount }
    }

    /// The number of connections that can still be opened.
    var freeConnections: Int { budget.free }

    /// Closes an idle connection of any pool.
    private func makeRoom() {
        for pool in storage.withLock({ Array($0.pools.values) }) where pool.evictIdle() { return }
    }

    /// Stops accepting new requests and returns the pools to wait for. Requests in progress continue.
    func drain() -> [OriginPool] {
        let (pools, diallers) = storage.withLock { storage in
            storage.isShutDown = true
            storage.last = nil
            return (Array(storage.pools.values), [dialler] + storage.diallers.values)
        }
        for pool in pools { pool.drain() }
        for dialler in diallers { dialler.shutDown() }
        return pools
    }

    /// Closes all connections. Further calls have no effect.
    func shutDown() {
        for pool in drain() { pool.cut() }
    }
}

extension ClientCore {
    /// Waits by the event loops' clock, at most until a deadline. Throws `cancelled` if the task is cancelled, and
    /// `timedOut` at the deadline.
    func pause(_ duration: Duration, until deadline: NIODeadline?) async throws(TransportError) {
        let timer = schedule(after: min(duration, try remaining(until: deadline) ?? duration)) {}
        do {
            try await withTaskCancellationHandler {
                try await timer.futureResult.get()
            } onCancel: {
                timer.cancel()
            }
        } catch {
            throw TransportError(.cancelled, in: .waiting, "The task was cancelled.")
        }
    }

    /// Returns the time until a deadline; `nil` without a deadline. Throws `timedOut` if the deadline has passed.
    func remaining(until deadline: NIODeadline?) throws(TransportError) -> Duration? {
        guard let deadline else { return nil }
        let left = deadline - now
        guard left > .zero else { throw TransportError(.timedOut, in: .total, "The transfer's total timeout expired.") }
        return .nanoseconds(left.nanoseconds)
    }
}
