import Testing

@testable import HoldfastTransport

/// The pool's state machine if connections are opened in advance.
@Suite struct PrewarmedPoolTests {
    private func request(_ number: UInt64) -> RequestID { RequestID(number) }
    private func connection(_ number: UInt64) -> TransportConnectionID { TransportConnectionID(number) }
    private func dial(_ number: UInt64) -> DialID { DialID(number: number) }
    private func dials(_ numbers: ClosedRange<UInt64>) -> [DialID] { numbers.map(dial) }

    /// The first connection determines the version. A server with HTTP/1.1 then gets the others.
    @Test func anUnknownVersionIsDeterminedFirst() {
        var pool = PoolMachine(limit: 8, speaks: .unknown)
        #expect(pool.prewarm(4, atMost: 4) == .start([dial(1)]))
        // A second call waits for the same dial.
        #expect(pool.prewarm(2, atMost: 2) == .wait([dial(1)]))
        var multiplexed = pool
        #expect(pool.dialSucceeded(dial(1), connection(1)) == PoolWork(park: connection(1)))
        #expect(pool.availableCount == 1)
        #expect(pool.prewarm(4, atMost: 3) == .start(dials(2...4)))
        #expect(pool.prewarm(2, atMost: 2) == .wait(dials(2...4)))
        for number: UInt64 in 2...4 {
            #expect(pool.dialSucceeded(dial(number), connection(number)) == PoolWork(park: connection(number)))
        }
        #expect(pool.prewarm(4, atMost: 1) == .settled)
        #expect(pool.availableCount == 4)
        // One connection to a server with HTTP/2 suffices.
        let work = multiplexed.dialSucceeded(dial(1), connection(1), streams: 100)
        #expect(work == PoolWork(park: connection(1)))
        #expect(multiplexed.prewarm(4, atMost: 3) == .settled)
        #expect(multiplexed.availableCount == 1)
    }

    /// A dial of a request determines the version too.
    @Test func theDialOfARequestIsAwaited() {
        var pool = PoolMachine(limit: 8, speaks: .unknown)
        #expect(pool.acquire(request(1)) == .wait(dial: dial(1), closing: nil))
        #expect(pool.prewarm(2, atMost: 2) == .wait([dial(1)]))
        #expect(pool.dialSucceeded(dial(1), connection(1)).served == [request(1)])
        // The connection is in use, so two others are opened.
        #expect(pool.prewarm(2, atMost: 2) == .start(dials(2...3)))
    }

    /// Distributed by load, several connections with HTTP/2 are useful.
    @Test func aDistributionLimitsTheNumber() {
        var pool = PoolMachine(
            limit: 8, speaks: .unknown, spread: HTTP2Spread(loadFactor: 1, connections: 3))
        #expect(pool.prewarm(5, atMost: 5) == .start([dial(1)]))
        _ = pool.dialSucceeded(dial(1), connection(1), streams: 100)
        #expect(pool.prewarm(5, atMost: 4) == .start(dials(2...3)))
        for number: UInt64 in 2...3 { _ = pool.dialSucceeded(dial(number), connection(number), streams: 100) }
        #expect(pool.prewarm(5, atMost: 2) == .settled)
        #expect(pool.count == 3)
    }

    /// Neither the limit nor the number of the call is exceeded, and no connection is closed to make room.
    @Test func limitsAreKept() {
        var pool = PoolMachine(limit: 3)
        _ = pool.acquire(request(1))
        _ = pool.dialSucceeded(dial(1), connection(1))
        #expect(pool.prewarm(8, atMost: 8) == .start(dials(2...3)))
        #expect(pool.count == 3)
        #expect(pool.prewarm(8, atMost: 8) == .wait(dials(2...3)))
        for number: UInt64 in 2...3 { _ = pool.dialSucceeded(dial(number), connection(number)) }
        #expect(pool.prewarm(8, atMost: 8) == .settled)
        #expect(pool.count == 3)
        // The call has opened enough, although requests use all of its connections.
        for number: UInt64 in 2...3 { _ = pool.acquire(request(number)) }
        _ = pool.closed(connection(1))
        #expect(pool.prewarm(2, atMost: 0) == .settled)
        #expect(pool.prewarm(.max, atMost: .max) == .start([dial(4)]))
    }

    /// A connection that is idle already counts, until its idle time ends.
    @Test func idleConnectionsCount() {
        var pool = PoolMachine(limit: 8)
        _ = pool.acquire(request(1))
        _ = pool.dialSucceeded(dial(1), connection(1))
        #expect(pool.released(connection(1)) == .park)
        #expect(pool.prewarm(1, atMost: 1) == .settled)
        #expect(pool.expire(connection(1)) == true)
        #expect(pool.prewarm(1, atMost: 1) == .start([dial(2)]))
    }

    /// Requests use the connections. One that arrives during the dial waits for it.
    @Test func requestsUseTheConnections() {
        var pool = PoolMachine(limit: 2, speaks: .unknown)
        #expect(pool.prewarm(2, atMost: 2) == .start([dial(1)]))
        #expect(pool.acquire(request(1)) == .wait(dial: nil, closing: nil))
        #expect(pool.isDialling(for: request(1)))
        #expect(pool.dialSucceeded(dial(1), connection(1)).served == [request(1)])
        #expect(pool.prewarm(2, atMost: 1) == .start([dial(2)]))
        // The limit is reached, so this request waits for either connection.
        #expect(pool.acquire(request(2)) == .wait(dial: nil, closing: nil))
        #expect(pool.dialSucceeded(dial(2), connection(2)).served == [request(2)])
        #expect(pool.released(connection(2)) == .park)
        #expect(pool.acquire(request(3)) == .use(connection(2)))
    }

    /// A dial that fails does not fail requests, unless the server was refused.
    @Test func requestsSurviveAFailedDial() {
        var pool = PoolMachine(limit: 2, speaks: .unknown)
        #expect(pool.prewarm(2, atMost: 2) == .start([dial(1)]))
        for number: UInt64 in 1...3 { _ = pool.acquire(request(number)) }
        var refused = pool
        var noPermit = pool
        let work = PoolWork(start: [PoolWork.Dial(id: dial(2), request: request(1))])
        #expect(pool.dialFailed(dial(1), .unreachable) == .over(work))
        #expect(noPermit.abandoned(dial(1)) == work)
        #expect(refused.dialFailed(dial(1), .refused) == .over(PoolWork(fail: (1...3).map(request))))
        #expect(refused.count == 0)
    }

    /// A missing network does not postpone the dial.
    @Test func aMissingNetworkEndsTheDial() {
        var pool = PoolMachine(limit: 2)
        #expect(pool.prewarm(1, atMost: 1) == .start([dial(1)]))
        #expect(pool.dialFailed(dial(1), .noConnectivity) == .over(PoolWork()))
        #expect(pool.isEmpty)
    }

    @Test func theLifeOfThePool() {
        var pool = PoolMachine(limit: 2)
        #expect(pool.prewarm(1, atMost: 1) == .start([dial(1)]))
        // A pool with a dial in progress is in use.
        #expect(!pool.isEmpty)
        #expect(pool.retire() == false)
        var shutDown = pool
        #expect(shutDown.shutDown() == PoolWork())
        #expect(shutDown.prewarm(1, atMost: 1) == .refuse)
        #expect(shutDown.dialSucceeded(dial(1), connection(1)) == PoolWork(close: [connection(1)]))
        #expect(pool.dialFailed(dial(1), .unreachable) == .over(PoolWork()))
        #expect(pool.retire() == true)
        #expect(pool.prewarm(1, atMost: 1) == .elsewhere)
    }

    /// If another host waits for a connection, a new one makes room for it.
    @Test func anUnneededConnectionMakesRoom() {
        var pool = PoolMachine(limit: 2)
        #expect(pool.prewarm(1, atMost: 1) == .start([dial(1)]))
        #expect(pool.dialSucceeded(dial(1), connection(1), yields: true) == PoolWork(close: [connection(1)]))
        #expect(pool.availableCount == 0)
    }
}
