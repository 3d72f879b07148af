import Logging
import NIOCore
import Synchronization

/// What a client shares with the requests under way: the dialler and the pools.
final class ClientCore: Sendable {
    private struct Storage {
        var pools: [DialTarget: OriginPool] = [:]
        /// Most clients talk to one server.
        var last: (target: DialTarget, pool: OriginPool)?
        var isShutDown = false
    }

    let configuration: TransportConfiguration
    let dialler: NetworkDialler
    private let loops: any EventLoopGroup
    private let storage = Mutex(Storage())

    init(configuration: TransportConfiguration, dialler: NetworkDialler, loops: any EventLoopGroup) {
        self.configuration = configuration
        self.dialler = dialler
        self.loops = loops
    }

    /// The time by which deadlines are reckoned: the event loops'.
    var now: NIODeadline { loops.any().now }

    /// The pool for a target. Throws `shutDown`.
    func pool(for target: DialTarget) throws(TransportError) -> OriginPool {
        let pool = storage.withLock { storage -> OriginPool? in
            guard !storage.isShutDown else { return nil }
            if let last = storage.last, last.target == target { return last.pool }
            let pool =
                storage.pools[target]
                ?? OriginPool(target: target, configuration: configuration, dialler: dialler, loops: loops)
            storage.pools[target] = pool
            storage.last = (target, pool)
            return pool
        }
        guard let pool else { throw OriginPool.shutDownError }
        return pool
    }

    /// How many requests stand in the queues.
    var waitingCount: Int {
        storage.withLock { $0.pools.values.map(\.self) }.reduce(0) { $0 + $1.waitingCount }
    }

    /// Ends everything. Returns the pools, to wait for if one likes. Later calls find nothing left to do.
    @discardableResult
    func shutDown() -> [OriginPool] {
        let pools = storage.withLock { storage in
            storage.isShutDown = true
            storage.last = nil
            return Array(storage.pools.values)
        }
        for pool in pools { pool.shutDown() }
        dialler.shutDown()
        return pools
    }
}
