import HoldfastNIO
import Metrics
import NIOCore
import Synchronization
import Tracing

/// The connections to one host and port: the driver of ``PoolMachine``.
///
/// The machine changes under the lock; the resulting actions run after the lock is released.
final class OriginPool: Sendable {
    let configuration: TransportConfiguration
    let target: DialTarget
    private let dialler: any Dialler
    private let budget: ConnectionBudget
    private let loops: any EventLoopGroup
    private let metrics: PoolMetrics?
    private let retries: Counter?
    /// Moves a request to the pool that replaced this one.
    private let move: @Sendable (Exchange, Bool) -> Void
    private let state: Mutex<PoolState>

    init(
        target: DialTarget, configuration: TransportConfiguration, dialler: any Dialler, budget: ConnectionBudget,
        loops: any EventLoopGroup, metrics: PoolMetrics? = nil, retries: Counter? = nil,
        move: @escaping @Sendable (Exchange, Bool) -> Void = { exchange, _ in exchange.fail(TransportError.shutDown) }
    ) {
        self.move = move
        self.target = target
        self.configuration = configuration
        self.dialler = dialler
        self.budget = budget
        self.loops = loops
        self.metrics = metrics
        self.retries = retries
        let machine = PoolMachine(
            limit: configuration.maximumConnectionsPerHost, queue: configuration.limits.waitingRequests,
            speaks: PoolMachine.Speaks(target, configuration.httpVersions),
            spread: configuration.http2Distribution.spread)
        self.state = Mutex(PoolState(machine))
    }

    /// The number of requests in the queue.
    var waitingCount: Int { state.withLock(\.waitingCount) }

    /// The current time of the event loops, which all deadlines use.
    private var now: NIODeadline { loops.any().now }

    // MARK: Requests

    /// Assigns a connection to a request, at once or as soon as one is available.
    func submit(_ exchange: Exchange, fresh: Bool = false) {
        if fresh { retries?.increment() }
        let (acquired, connection, growth) = change {
            $0.acquire(exchange, fresh: fresh, isMeasured: metrics != nil, at: now)
        }
        switch acquired {
        case .use:
            metrics?.acquired()
            if let connection { lend(connection, to: exchange) }
            if let growth { startSpare(growth, limit: Self.noLimit) }
        case .wait(let dial, _, let timer):
            connection?.handler.perform { $0.close() }
            if let timer { startTimer(at: timer) }
            if let dial { start(dial, for: exchange) }
            // A cancellation before the request was in the queue could not remove it.
            if exchange.isOver { withdraw(exchange) }
        case .full:
            exchange.fail(
                TransportError(
                    .tooManyWaiting, in: .waiting,
                    "The limit of \(configuration.limits.waitingRequests) waiting requests to the host is reached."))
        case .elsewhere:
            move(exchange, fresh)
        case .refuse:
            exchange.fail(TransportError.shutDown)
        }
    }

    /// Removes a request from the queue if it is there.
    func withdraw(_ exchange: Exchange) {
        if let waiter = change({ $0.withdraw(exchange.id) }) { left(waiter, .failed) }
    }

    /// Repeats an exchange that lost its connection on another one if that is safe, and fails it otherwise.
    ///
    /// - Parameters:
    /// - hasSent: Whether any byte of the request may have been sent.
    /// - othersWereServed: Whether the connection completed other requests.
    func retryOrFail(_ exchange: Exchange, hasSent: Bool, othersWereServed: Bool = false, _ error: TransportError) {
        if exchange.detachForRetry(hasSent: hasSent, othersWereServed: othersWereServed) {
            submit(exchange, fresh: true)
        } else {
            exchange.detach()
            exchange.fail(error)
        }
    }

    /// Starts an exchange on a connection after checking that the policy in force has verified the connection, because
    /// the policy may have changed while the request waited. If the policy refuses it, the connection is closed and the
    /// request asks for another.
    private func lend(_ connection: PooledConnection, to exchange: Exchange) {
        guard !dialler.hasJudged(connection.id) else { return connection.handler.perform { $0.start(exchange) } }
        let loop = loops.next()
        let timer = loop.scheduleTask(deadline: exchange.patience.due(from: now)) {
            let tooLong = TransportError.waitedTooLong(
                "The verification with the changed policy did not complete in time.")
            exchange.fail(exchange.deadline.map { $0 <= self.now } ?? false ? TransportError.totalTimeIsUp : tooLong)
        }
        // If the request is cancelled meanwhile, the connection finds that it is over.
        dialler.judgeAgain(connection.id, on: loop).whenComplete { _ in
            timer.cancel()
            self.lend(connection, to: exchange)
        }
    }

    // MARK: Connections

    /// Processes a connection that can be reused. Returns the next exchange for it, or `nil` if it is idle.
    func released(_ connection: PooledConnection) -> Exchange? {
        let (freed, waiter) = change { $0.released(connection, yields: budget.isStarved) }
        if freed == .discard { connection.handler.perform { $0.close() } }
        guard let waiter else { return nil }
        left(waiter, .served)
        if dialler.hasJudged(connection.id) { return waiter.exchange }
        lend(connection, to: waiter.exchange)
        return nil
    }

    /// Processes the server's limit of concurrent requests on a connection.
    func limited(_ connection: PooledConnection, streams: Int) {
        perform(change { $0.errand { $0.limited(connection.id, streams: streams) } })
    }

    /// Stops assigning exchanges to a connection. Its current exchanges continue.
    func retired(_ connection: PooledConnection) {
        perform(change { $0.errand { $0.retired(connection.id) } })
    }

    /// Removes a connection that can no longer be used.
    func gone(_ connection: PooledConnection) {
        perform(change { $0.gone(connection.id) })
    }

    /// Processes the end of a connection's idle time. Returns whether to close it.
    func expire(_ connection: PooledConnection) -> Bool {
        change { $0.handle { $0.expire(connection.id) } }
    }

    /// Closes an idle connection to make room for another host. Returns false if there is none.
    func evictIdle() -> Bool {
        guard let connection = change({ $0.evictIdle() }) else { return false }
        connection.handler.perform { $0.close() }
        return true
    }

    // MARK: Dialling

    private func start(_ dial: DialID, for exchange: Exchange) {
        if budget.take() { return connect(dial, for: exchange) }
        let errand = change { $0.postponed(dial) }
        budget.resume(dial, of: self)
        perform(errand)
    }

    /// Starts a dial that no request waits for. It does not wait for a permit. `limit` is the maximum of each of its
    /// timeouts.
    private func startSpare(_ dial: DialID, limit: Duration, _ cancellation: DialCancellation? = nil) {
        guard budget.take() else {
            perform(change { $0.abandoned(dial) })
            return finished { _ in }
        }
        connect(dial, context: nil, limit: limit, cancellation)
    }

    /// Starts a waiting dial that received its permit. Returns false if no request needs it any longer.
    func permitted(_ dial: DialID) -> Bool {
        guard let exchange = state.withLock({ $0.resumed(dial) }) else {
            finished { _ in }
            return false
        }
        connect(dial, for: exchange)
        return true
    }

    /// The timeouts of a dial for the load depend only on the configuration.
    private static let noLimit = Duration.seconds(Int64.max)

    private func connect(_ dial: DialID, for exchange: Exchange) {
        // The span of the dial is a child of the request's span.
        connect(dial, context: exchange.context, limit: exchange.options.idleTimeout)
    }

    /// Starts a dial. `limit` is the maximum of each of its timeouts.
    private func connect(
        _ dial: DialID, context: ServiceContext?, limit: Duration, _ cancellation: DialCancellation? = nil
    ) {
        let deadlines = DialDeadlines(configuration, limit: limit)
        let loop = loops.next()
        let dialled =
            if let context {
                ServiceContext.withValue(context) { dialler.dial(target, deadlines: deadlines, on: loop) }
            } else if let cancellation {
                dialler.dial(target, deadlines: deadlines, cancellation: cancellation, on: loop)
            } else {
                dialler.dial(target, deadlines: deadlines, on: loop)
            }
        dialled.whenComplete { result in
            if cancellation?.end() == true {
                if case .success(let dialled) = result { dialled.cut() }
                return self.failed(dial, Exchange.cancelled)
            }
            switch result {
            case .success(let dialled): self.dialled(dial, dialled)
            case .failure(let error): self.failed(dial, TransportError(connecting: error, to: self.target))
            }
        }
    }

    private func dialled(_ dial: DialID, _ dialled: Dialled) {
        let connection: PooledConnection
        do {
            connection = try dialled.connection(of: self)
        } catch {
            dialled.cut()
            return failed(
                dial, TransportError(.connectionClosed, in: .connecting, "The connection was closed: \(error)."))
        }
        let errand = change { $0.dialSucceeded(dial, connection, yields: budget.isStarved) }
        dialled.channel.closeFuture.whenComplete { _ in
            self.budget.give()
            self.finished { $0.handle { $0.channelClosed() } }
        }
        // The reads start before the requests, so that bytes that arrived earlier are not taken for responses.
        dialled.begin()
        perform(errand)
    }

    private func failed(_ dial: DialID, _ error: TransportError) {
        let (delay, errand) = change { $0.dialFailed(dial, error) }
        guard let delay else {
            perform(errand, failing: error)
            budget.give()
            return finished { $0.dialEnded() }
        }
        // The permit is returned, so that reachable hosts need not wait for an unreachable one.
        budget.give()
        _ = loops.next().scheduleTask(in: delay) { self.budget.resume(dial, of: self) }
        perform(errand)
    }

    // MARK: Prewarming

    /// The maximum number of times that opening connections in advance waits for dials of others. It ends the wait if
    /// their connections are always in use at once.
    private static let maximumWaits = 16

    /// Opens connections until `goal` of them can accept a request. `limit` is the maximum of each timeout of a dial.
    /// Returns `nil` if the client removed the pool.
    func prewarm(_ goal: Int, limit: Duration) async throws(TransportError) -> PrewarmedConnections? {
        let goal = min(goal, max(1, configuration.maximumConnectionsPerHost))
        var opened = 0
        var waits = 0
        while waits < Self.maximumWaits {
            switch await prewarmingRound(goal, atMost: goal - opened, limit: limit) {
            case .ended(started: 0, opened: _, failure: _):
                waits += 1
            case .ended(let started, let more, let failure):
                opened += more
                if let failure {
                    if state.withLock(\.isShutDown) { throw .shutDown }
                    guard opened > 0, failure.code != .trustRefused else { throw failure }
                }
                // A dial without a permit has no error. The limit of all connections is then reached.
                if more < started { return prewarmed(opened, failure) }
            case .settled: return prewarmed(opened, nil)
            case .elsewhere: return nil
            case .shutDown: throw .shutDown
            case .cancelled: throw Exchange.cancelled
            }
        }
        return prewarmed(opened, nil)
    }

    private func prewarmed(_ opened: Int, _ failure: TransportError?) -> PrewarmedConnections {
        PrewarmedConnections(opened: opened, available: state.withLock(\.availableCount), failure: failure)
    }

    private func prewarmingRound(_ goal: Int, atMost number: Int, limit: Duration) async -> WarmUps.Round {
        let call = RequestID.next()
        return await withTaskCancellationHandler {
            await withCheckedContinuation { (continuation: CheckedContinuation<WarmUps.Round, Never>) in
                switch change({ $0.prewarm(call, goal: goal, atMost: number, continuation) }) {
                case .start(let dials):
                    for (dial, cancellation) in dials { startSpare(dial, limit: limit, cancellation) }
                case .wait: break
                case .over(let round): return continuation.resume(returning: round)
                }
                // A cancellation before the call was registered could not end it.
                if Task.isCancelled { cancelPrewarming(call) }
            }
        } onCancel: {
            cancelPrewarming(call)
        }
    }

    private func cancelPrewarming(_ call: RequestID) {
        guard let (ended, dials) = state.withLock({ $0.cancelPrewarming(call) }) else { return }
        for dial in dials { dial.cancel() }
        ended.resume()
    }

    // MARK: The machine

    /// Changes the state and records the change in the metrics.
    private func change<R>(_ body: (inout PoolState) -> R) -> R {
        guard let metrics else { return state.withLock { body(&$0) } }
        let (result, old, new) = state.withLock { state in
            let old = state.levels
            let result = body(&state)
            return (result, old, state.levels)
        }
        metrics.changed(from: old, to: new)
        return result
    }

    /// Performs the actions that the machine requires. `error` is for the requests that fail.
    private func perform(_ errand: PoolState.Errand, failing error: TransportError = .shutDown) {
        fail(errand.failed, error)
        for (waiter, connection) in errand.served {
            left(waiter, .served)
            lend(connection, to: waiter.exchange)
        }
        errand.parked?.handler.perform { $0.park() }
        for connection in errand.closing { connection.handler.perform { $0.close() } }
        for dial in errand.dials { start(dial.id, for: dial.exchange) }
        for call in errand.warmedUp { call.resume() }
    }

    private func fail(_ waiters: [PoolState.Waiter], _ error: TransportError) {
        for waiter in waiters {
            left(waiter, .failed)
            waiter.exchange.fail(error)
        }
    }

    /// Records that a request stopped waiting.
    private func left(_ waiter: PoolState.Waiter, _ end: PoolMetrics.WaitEnd) {
        if let metrics, let since = waiter.since { metrics.left(end, after: now - since) }
    }

    private func startTimer(at due: NIODeadline) {
        _ = loops.next().scheduleTask(deadline: due) { [weak self] in self?.timerFired(at: due) }
    }

    private func timerFired(at due: NIODeadline) {
        let (total, waiting, timer) = change { $0.timerFired(at: due, now: now) }
        if let timer { startTimer(at: timer) }
        fail(total, .totalTimeIsUp)
        fail(waiting, .waitedTooLong("No connection became available in time."))
    }

    // MARK: Shutdown

    /// Closes idle connections, fails waiting requests and stops assigning connections. Requests in progress continue.
    func drain() {
        perform(change { $0.errand { $0.shutDown() } })
    }

    /// Fails the requests in progress.
    func cut() {
        for connection in state.withLock(\.allConnections) { connection.handler.perform { $0.fail(.shutDown) } }
    }

    /// Retires the pool if it is empty. Returns whether it is retired, so that the client can remove it.
    func retire() -> Bool { state.withLock { $0.retire() } }

    /// Returns when no channel is open and no dial is in progress.
    func whenEmpty() async {
        await withCheckedContinuation { continuation in
            if !state.withLock({ $0.whenEmpty(continuation) }) { continuation.resume() }
        }
    }

    private func finished(_ body: (inout PoolState) -> Void) {
        let continuations = change { state in
            body(&state)
            return state.takeWhenEmpty()
        }
        for continuation in continuations { continuation.resume() }
    }
}
