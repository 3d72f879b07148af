import HTTPTypes
import HoldfastNIO
import Metrics
import NIOCore
import Synchronization

/// What a client shares with the requests under way: the dialler and the pools.
final class ClientCore: Sendable {
    private struct Storage {
        var pools: [DialTarget: OriginPool] = [:]
        /// Most clients talk to one server.
        var last: (target: DialTarget, pool: OriginPool)?
        var isShutDown = false

        /// Takes out the pools without connections, dials and requests. A request that is on its way to one of them is moved: the
        /// pool itself decides, under its own lock, which of the two came first.
        mutating func forgetUnused() {
            pools = pools.filter { !$0.value.retire() }
            if let used = last, pools[used.target] == nil { last = nil }
        }
    }

    /// An origin as a caller has written it, and what it was read as.
    private struct KnownOrigin {
        var scheme: String?
        var authority: String?
        var url: RequestURL
    }

    let configuration: TransportConfiguration
    let dialler: NetworkDialler
    /// Watches requests; `nil` where nobody does.
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

    /// The time by which deadlines are reckoned: the event loops'.
    var now: NIODeadline { loops.any().now }

    /// Does something later.
    func schedule(after delay: Duration, _ action: @escaping @Sendable () -> Void) -> Scheduled<Void> {
        loops.any().scheduleTask(in: TimeAmount(clamping: delay), action)
    }

    /// Reads the URL of a request. One to the same server as the last needs no second reading of scheme and host.
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

    /// The pool for a target. Throws `shutDown`.
    func pool(for target: DialTarget) throws(TransportError) -> OriginPool {
        let pool = storage.withLock { storage -> OriginPool? in
            guard !storage.isShutDown else { return nil }
            if let last = storage.last, last.target == target { return last.pool }
            if storage.pools[target] == nil, storage.pools.count >= Self.keptPools { storage.forgetUnused() }
            let pool =
                storage.pools[target]
                ?? OriginPool(
                    target: target, configuration: configuration, dialler: dialler, budget: budget, loops: loops,
                    metrics: poolMetrics, retries: instruments?.metrics?.retries,
                    move: { [weak self] exchange, fresh in
                        guard let self else { return exchange.fail(TransportError.shutDown) }
                        self.move(exchange, fresh: fresh)
                    })
            storage.pools[target] = pool
            storage.last = (target, pool)
            return pool
        }
        guard let pool else { throw .shutDown }
        return pool
    }

    /// How many pools there are before those that are not used are forgotten. Redirects through a thousand hosts must not leave a
    /// thousand pools; what a server speaks is worth remembering for some.
    static let keptPools = 64

    /// How many pools there are.
    var poolCount: Int { storage.withLock { $0.pools.count } }

    /// Gives a request another pool, in the place of one that was forgotten before the request had come to it.
    private func move(_ exchange: Exchange, fresh: Bool) {
        do throws(TransportError) {
            let pool = try pool(for: exchange.request.target)
            exchange.move(to: pool)
            pool.submit(exchange, fresh: fresh)
        } catch {
            exchange.fail(error)
        }
    }

    /// How many requests stand in the queues.
    var waitingCount: Int {
        storage.withLock { $0.pools.values.map(\.self) }.reduce(0) { $0 + $1.waitingCount }
    }

    /// How many more connections there may be.
    var freeConnections: Int { budget.free }

    /// Closes an idle connection, whichever host it is to.
    private func makeRoom() {
        for pool in storage.withLock({ Array($0.pools.values) }) where pool.evictIdle() { return }
    }

    /// Begins nothing more; what is under way goes on. Returns the pools, to wait for.
    func drain() -> [OriginPool] {
        let pools = storage.withLock { storage in
            storage.isShutDown = true
            storage.last = nil
            return Array(storage.pools.values)
        }
        for pool in pools { pool.drain() }
        dialler.shutDown()
        return pools
    }

    /// Ends everything. Later calls find nothing left to do.
    func shutDown() {
        for pool in drain() { pool.cut() }
    }
}
