import HoldfastNIO
import NIOCore

/// The state of an ``OriginPool`` under its lock: the machine, and the objects for the machine's numbers.
struct PoolState: Sendable {
    /// A request in the queue.
    struct Waiter: Sendable {
        let exchange: Exchange
        /// The time at which it started to wait, if measured.
        let since: NIODeadline?
    }

    /// The actions of a ``PoolWork`` with their objects.
    struct Errand: Sendable {
        var failed: [Waiter] = []
        var served: [(waiter: Waiter, connection: PooledConnection)] = []
        var parked: PooledConnection?
        var closing: [PooledConnection] = []
        var dials: [(id: DialID, exchange: Exchange)] = []
        /// Calls that waited for the dial whose end this is.
        var warmedUp: [WarmUps.Ended] = []
    }

    private var machine: PoolMachine
    private var connections: [TransportConnectionID: PooledConnection] = [:]
    private var waiters: [RequestID: Waiter] = [:]
    /// The number of failed dials that have not yet returned their permits.
    private var endingDials = 0
    private var onEmpty: [CheckedContinuation<Void, Never>] = []
    private var warmUps = WarmUps()

    init(_ machine: PoolMachine) {
        self.machine = machine
    }

    /// Whether no channel is open and no dial is in progress.
    private var isEmpty: Bool { machine.isEmpty && endingDials == 0 }

    /// The number of requests in the queue.
    var waitingCount: Int { machine.waitingCount }

    /// The number of connections that can accept a request at once.
    var availableCount: Int { machine.availableCount }

    /// Whether the pool is shut down.
    var isShutDown: Bool { machine.isShutDown }

    /// The connections that serve requests.
    var allConnections: [PooledConnection] { Array(connections.values) }

    /// The levels for the metrics.
    var levels: PoolMetrics.Levels {
        PoolMetrics.Levels(open: machine.openChannels, idle: machine.idleCount, waiting: machine.waitingCount)
    }

    /// Assigns a connection to a request or queues it. Returns the result, the connection to use or to close, and a
    /// dial to start for the load.
    mutating func acquire(
        _ exchange: Exchange, fresh: Bool, isMeasured: Bool, at now: @autoclosure () -> NIODeadline
    ) -> (PoolMachine.Acquired, PooledConnection?, growth: DialID?) {
        let acquired = machine.acquire(exchange.id, exchange.patience, fresh: fresh, at: now())
        switch acquired {
        case .use(let id):
            return (acquired, connections[id], machine.grow())
        case .wait(_, let closing, _):
            waiters[exchange.id] = Waiter(exchange: exchange, since: isMeasured ? now() : nil)
            return (acquired, closing.flatMap { connections[$0] }, nil)
        case .full, .elsewhere, .refuse:
            return (acquired, nil, nil)
        }
    }

    /// Removes a request from the queue; `nil` if it is not there.
    mutating func withdraw(_ request: RequestID) -> Waiter? {
        machine.withdraw(request)
        return waiters.removeValue(forKey: request)
    }

    /// Processes a connection that can be reused. Returns its next use, and the request to serve.
    mutating func released(
        _ connection: PooledConnection, yields: @autoclosure () -> Bool
    ) -> (PoolMachine.Freed, Waiter?) {
        let freed = machine.released(connection.id, yields: yields())
        guard case .serve(let request) = freed else { return (freed, nil) }
        return (freed, waiters.removeValue(forKey: request))
    }

    /// Processes a successful dial.
    mutating func dialSucceeded(
        _ dial: DialID, _ connection: PooledConnection, yields: @autoclosure () -> Bool
    ) -> Errand {
        connections[connection.id] = connection
        let streams = connection.initialStreams
        return errand(
            machine.dialSucceeded(dial, connection.id, streams: streams, yields: yields()),
            warmUps.ended(dial, isOpen: true))
    }

    /// Processes a failed dial. Returns the delay before a retry, or `nil` if the dial has ended.
    mutating func dialFailed(_ dial: DialID, _ error: TransportError) -> (again: TimeAmount?, Errand) {
        switch machine.dialFailed(dial, PoolMachine.DialFailure(error)) {
        case .over(let work):
            endingDials += 1
            return (nil, errand(work, warmUps.ended(dial, error)))
        case .again(let delay, let work):
            return (delay, errand(work, warmUps.ended(dial)))
        }
    }

    /// Processes a dial that waits for a permit.
    mutating func postponed(_ dial: DialID) -> Errand { errand(machine.postponed(dial), warmUps.ended(dial)) }

    /// Processes a dial that no request waits for and that found no permit.
    mutating func abandoned(_ dial: DialID) -> Errand { errand(machine.abandoned(dial), warmUps.ended(dial)) }

    /// Begins a round of opening connections in advance. The continuation is resumed when the dials of the round have
    /// ended, unless the round is already over.
    mutating func prewarm(
        _ call: RequestID, goal: Int, atMost number: Int, _ continuation: CheckedContinuation<WarmUps.Round, Never>
    ) -> WarmUps.Step {
        switch machine.prewarm(goal, atMost: number) {
        case .start(let dials):
            let own = dials.map { (dial: $0, cancellation: DialCancellation()) }
            warmUps.began(
                call, waitingFor: dials,
                own: Dictionary(uniqueKeysWithValues: own.map { ($0.dial, $0.cancellation) }), continuation)
            return .start(own)
        case .wait(let dials):
            warmUps.began(call, waitingFor: dials, continuation)
            return .wait
        case .settled: return .over(.settled)
        case .elsewhere: return .over(.elsewhere)
        case .refuse: return .over(.shutDown)
        }
    }

    /// Cancels a call that opens connections in advance. Returns `nil` if it does not wait.
    mutating func cancelPrewarming(_ call: RequestID) -> (WarmUps.Ended, [DialCancellation])? { warmUps.cancel(call) }

    /// Resumes a dial that waited. Returns its request, or `nil` if the dial has ended.
    mutating func resumed(_ dial: DialID) -> Exchange? {
        machine.resumed(dial).flatMap { waiters[$0]?.exchange }
    }

    /// Records that a failed dial returned its permit.
    mutating func dialEnded() {
        endingDials -= 1
    }

    /// Removes a connection that can no longer be used.
    mutating func gone(_ connection: TransportConnectionID) -> Errand {
        connections[connection] = nil
        return errand(machine.closed(connection))
    }

    /// Processes the timer of the queue. Returns the requests to fail and the time for the next timer.
    mutating func timerFired(
        at due: NIODeadline, now: NIODeadline
    ) -> (total: [Waiter], waiting: [Waiter], timer: NIODeadline?) {
        let timeouts = machine.timerFired(at: due, now: now)
        return (take(timeouts.total), take(timeouts.waiting), timeouts.timer)
    }

    /// Removes the connection that has been idle longest. The caller must close it.
    mutating func evictIdle() -> PooledConnection? {
        machine.evictIdle().flatMap { connections[$0] }
    }

    /// Applies an event that involves no objects.
    mutating func handle<R>(_ event: (inout PoolMachine) -> R) -> R { event(&machine) }

    /// Applies an event that involves no objects. Returns the resulting actions with their objects.
    mutating func errand(_ event: (inout PoolMachine) -> PoolWork) -> Errand { errand(event(&machine)) }

    /// Returns the actions of an event with their objects. Requests that fail or are served leave the queue.
    private mutating func errand(_ work: PoolWork, _ warmedUp: [WarmUps.Ended] = []) -> Errand {
        var errand = Errand()
        errand.warmedUp = warmedUp
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

    /// Retires the pool if it is empty. Returns whether it is retired.
    mutating func retire() -> Bool { endingDials == 0 && machine.retire() }

    /// Stores a continuation until the pool is empty. Returns false if it is already empty.
    mutating func whenEmpty(_ continuation: CheckedContinuation<Void, Never>) -> Bool {
        if !isEmpty { onEmpty.append(continuation) }
        return !isEmpty
    }

    /// Removes the stored continuations if the pool is empty.
    mutating func takeWhenEmpty() -> [CheckedContinuation<Void, Never>] {
        guard isEmpty else { return [] }
        defer { onEmpty = [] }
        return onEmpty
    }
}

extension Exchange {
    /// The time that the request may wait for a connection.
    var patience: Patience {
        Patience(
            idle: TimeAmount(clamping: options.idleTimeout), total: deadline,
            waitsForConnectivity: options.waitsForConnectivity)
    }
}
