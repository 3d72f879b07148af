import HoldfastNIO
import NIOCore

/// What an ``OriginPool`` has under its lock: the machine, and what the numbers of the machine stand for.
struct PoolState: Sendable {
    /// A request in the queue.
    struct Waiter: Sendable {
        let exchange: Exchange
        /// When it began to wait, where that is measured.
        let since: NIODeadline?
    }

    /// What a ``PoolWork`` stands for.
    struct Errand: Sendable {
        var failed: [Waiter] = []
        var served: [(waiter: Waiter, connection: PooledConnection)] = []
        var parked: PooledConnection?
        var closing: [PooledConnection] = []
        var dials: [(id: DialID, exchange: Exchange)] = []
    }

    private var machine: PoolMachine
    private var connections: [TransportConnectionID: PooledConnection] = [:]
    private var waiters: [RequestID: Waiter] = [:]
    /// Dials that have failed, and have not given back their permits.
    private var endingDials = 0
    private var onEmpty: [CheckedContinuation<Void, Never>] = []

    init(_ machine: PoolMachine) {
        self.machine = machine
    }

    /// Whether no channel is open and no dial under way.
    private var isEmpty: Bool { machine.isEmpty && endingDials == 0 }

    /// How many requests stand in the queue.
    var waitingCount: Int { machine.waitingCount }

    /// The connections that serve requests.
    var allConnections: [PooledConnection] { Array(connections.values) }

    /// What is measured.
    var levels: PoolMetrics.Levels {
        PoolMetrics.Levels(open: machine.openChannels, idle: machine.idleCount, waiting: machine.waitingCount)
    }

    /// A request wants a connection. Returns what it gets, and the connection to use, or to close.
    mutating func acquire(
        _ exchange: Exchange, fresh: Bool, isMeasured: Bool, at now: @autoclosure () -> NIODeadline
    ) -> (PoolMachine.Acquired, PooledConnection?) {
        let acquired = machine.acquire(exchange.id, exchange.patience, fresh: fresh, at: now())
        switch acquired {
        case .use(let id):
            return (acquired, connections[id])
        case .wait(_, let closing, _):
            waiters[exchange.id] = Waiter(exchange: exchange, since: isMeasured ? now() : nil)
            return (acquired, closing.flatMap { connections[$0] })
        case .full, .elsewhere, .refuse:
            return (acquired, nil)
        }
    }

    /// Takes a request out of the queue; `nil` if it is not in it.
    mutating func withdraw(_ request: RequestID) -> Waiter? {
        machine.withdraw(request)
        return waiters.removeValue(forKey: request)
    }

    /// A connection can be used again. Returns what becomes of it, and the request that it serves.
    mutating func released(
        _ connection: PooledConnection, yields: @autoclosure () -> Bool
    ) -> (PoolMachine.Freed, Waiter?) {
        let freed = machine.released(connection.id, yields: yields())
        guard case .serve(let request) = freed else { return (freed, nil) }
        return (freed, waiters.removeValue(forKey: request))
    }

    /// A dial has brought a connection.
    mutating func dialSucceeded(
        _ dial: DialID, _ connection: PooledConnection, yields: @autoclosure () -> Bool
    ) -> Errand {
        connections[connection.id] = connection
        let streams = connection.initialStreams
        return errand(machine.dialSucceeded(dial, connection.id, streams: streams, yields: yields()))
    }

    /// A dial has failed. Returns after how long to try again; `nil`: the dial is over.
    mutating func dialFailed(_ dial: DialID, _ failure: PoolMachine.DialFailure) -> (again: TimeAmount?, Errand) {
        switch machine.dialFailed(dial, failure) {
        case .over(let work):
            endingDials += 1
            return (nil, errand(work))
        case .again(let delay, let work):
            return (delay, errand(work))
        }
    }

    /// A dial that waited is tried again. Returns the request that it is for; `nil`: the dial is over.
    mutating func resumed(_ dial: DialID) -> Exchange? {
        machine.resumed(dial).flatMap { waiters[$0]?.exchange }
    }

    /// A dial that has failed has given back its permit.
    mutating func dialEnded() {
        endingDials -= 1
    }

    /// A connection serves no more.
    mutating func gone(_ connection: TransportConnectionID) -> Errand {
        connections[connection] = nil
        return errand(machine.closed(connection))
    }

    /// The timer of the queue has fired. Returns the requests to fail, and when the timer has to fire next.
    mutating func timerFired(
        at due: NIODeadline, now: NIODeadline
    ) -> (total: [Waiter], waiting: [Waiter], timer: NIODeadline?) {
        let timeouts = machine.timerFired(at: due, now: now)
        return (take(timeouts.total), take(timeouts.waiting), timeouts.timer)
    }

    /// Gives up the connection that has been idle longest. Returns it, to be closed.
    mutating func evictIdle() -> PooledConnection? {
        machine.evictIdle().flatMap { connections[$0] }
    }

    /// An event without objects of its own.
    mutating func handle<R>(_ event: (inout PoolMachine) -> R) -> R { event(&machine) }

    /// An event without objects of its own. Returns what its work stands for.
    mutating func errand(_ event: (inout PoolMachine) -> PoolWork) -> Errand { errand(event(&machine)) }

    /// What the work of an event stands for. The requests that fail or are served leave the queue.
    private mutating func errand(_ work: PoolWork) -> Errand {
        var errand = Errand()
        errand.failed = take(work.fail)
        for place in work.serve {
            let waiter = waiters.removeValue(forKey: place.request)
            if let waiter, let connection = connections[place.connection] { errand.served.append((waiter, connection)) }
        }
        errand.parked = work.park.flatMap { connections[$0] }
        errand.closing = work.close.compactMap { connections[$0] }
        errand.dials = work.start.compactMap { dial in waiters[dial.request].map { (dial.id, $0.exchange) } }
        return errand
    }

    private mutating func take(_ requests: [RequestID]) -> [Waiter] {
        requests.compactMap { waiters.removeValue(forKey: $0) }
    }

    /// Takes no more requests if there is nothing here. Returns whether that is so.
    mutating func retire() -> Bool { endingDials == 0 && machine.retire() }

    /// Keeps what waits until the pool is empty. Returns false if it is empty already.
    mutating func whenEmpty(_ continuation: CheckedContinuation<Void, Never>) -> Bool {
        if !isEmpty { onEmpty.append(continuation) }
        return !isEmpty
    }

    /// Takes out what waits until the pool is empty, if it is.
    mutating func takeWhenEmpty() -> [CheckedContinuation<Void, Never>] {
        guard isEmpty else { return [] }
        defer { onEmpty = [] }
        return onEmpty
    }
}

extension Exchange {
    /// How long the request waits for a connection.
    var patience: Patience {
        Patience(
            idle: TimeAmount(clamping: options.idleTimeout), total: deadline,
            waitsForConnectivity: options.waitsForConnectivity)
    }
}
