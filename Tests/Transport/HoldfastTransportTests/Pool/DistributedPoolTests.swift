import HoldfastTestSupport
import NIOCore
import Testing

@testable import HoldfastTransport

/// The pool's state machine if requests are distributed over shared connections by load.
@Suite struct DistributedPoolTests {
    private func request(_ number: UInt64) -> RequestID { RequestID(number) }
    private func connection(_ number: UInt64) -> TransportConnectionID { TransportConnectionID(number) }
    private func dial(_ number: UInt64) -> DialID { DialID(number: number) }

    /// A pool with one connection, which carries the first request.
    private func pool(
        loadFactor: Double = 0.5, connections: Int = 4, limit: Int = 8, streams: Int = 10
    ) -> PoolMachine {
        var pool = PoolMachine(
            limit: limit, speaks: .several(streams),
            spread: HTTP2Spread(loadFactor: loadFactor, connections: connections))
        _ = pool.acquire(request(1))
        #expect(pool.dialSucceeded(dial(1), connection(1), streams: streams).served == [request(1)])
        return pool
    }

    // MARK: Growing

    @Test func theLoadOpensAnotherConnection() {
        var pool = pool()
        for number: UInt64 in 2...4 {
            #expect(pool.acquire(request(number)) == .use(connection(1)))
            #expect(pool.grow() == nil)
        }
        #expect(pool.acquire(request(5)) == .use(connection(1)))
        #expect(pool.grow() == dial(2))
        // No request waits for the dial, and no other dial is started.
        #expect(pool.acquire(request(6)) == .use(connection(1)))
        #expect(pool.grow() == nil)
        #expect(pool.count == 2)
        #expect(pool.dialSucceeded(dial(2), connection(2), streams: 10) == PoolWork(park: connection(2)))
        // The new connection gets requests until both have the same load, then the oldest one of them.
        for number: UInt64 in 7...12 { #expect(pool.acquire(request(number)) == .use(connection(2))) }
        #expect(pool.acquire(request(13)) == .use(connection(1)))
        #expect(pool.grow() == dial(3))
    }

    /// Without a distribution by load, the oldest connection is filled first, and a free place prevents a dial.
    @Test func theDefaultFillsTheOldestConnection() {
        var pool = PoolMachine(limit: 8, speaks: .several(2))
        for number: UInt64 in 1...3 { _ = pool.acquire(request(number)) }
        _ = pool.dialSucceeded(dial(1), connection(1), streams: 2)
        #expect(pool.dialSucceeded(dial(2), connection(2), streams: 2).served == [request(3)])
        _ = pool.released(connection(1))
        #expect(pool.acquire(request(4)) == .use(connection(1)))
        #expect(pool.grow() == nil)
        #expect(pool.acquire(request(5)) == .use(connection(2)))
        #expect(pool.grow() == nil)
    }

    /// With a load factor of 1, another connection opens when the last allowed stream is used.
    @Test func theServersLimitIsTheLoad() {
        var pool = pool(loadFactor: 1, streams: 3)
        #expect(pool.acquire(request(2)) == .use(connection(1)))
        #expect(pool.grow() == nil)
        #expect(pool.acquire(request(3)) == .use(connection(1)))
        #expect(pool.grow() == dial(2))
        // The next request waits for the dial in progress.
        #expect(pool.acquire(request(4)) == .wait(dial: nil, closing: nil))
        #expect(pool.dialSucceeded(dial(2), connection(2), streams: 3).served == [request(4)])
    }

    /// A limit that the server announces later changes the load.
    @Test func anAnnouncedLimitChangesTheLoad() {
        var pool = pool(streams: 100)
        #expect(pool.limited(connection(1), streams: 2) == PoolWork())
        #expect(pool.acquire(request(2)) == .use(connection(1)))
        #expect(pool.grow() == dial(2))
        var raised = self.pool(streams: 2)
        #expect(raised.limited(connection(1), streams: 100) == PoolWork())
        for number: UInt64 in 2...40 { #expect(raised.acquire(request(number)) == .use(connection(1))) }
        #expect(raised.grow() == nil)
    }

    @Test(arguments: [(1, 8, 1), (2, 8, 2), (4, 2, 2), (100, 3, 3), (0, 8, 1), (-5, 8, 1)])
    func theNumberOfConnectionsIsLimited(connections: Int, limit: Int, expected: Int) {
        var pool = pool(connections: connections, limit: limit, streams: 2)
        var last: UInt64 = 1
        for number: UInt64 in 2...40 {
            if case .wait(let dial?, _, _) = pool.acquire(request(number)) {
                last += 1
                _ = pool.dialSucceeded(dial, connection(last), streams: 2)
            }
            if let dial = pool.grow() {
                last += 1
                _ = pool.dialSucceeded(dial, connection(last), streams: 2)
            }
            #expect(pool.count <= expected)
        }
        #expect(pool.count == expected)
        // Every place is taken, and the other requests wait.
        #expect(pool.waitingCount == 40 - 2 * expected)
    }

    // MARK: Shrinking

    /// When the load falls, requests use the oldest connections, and the others reach their idle timeout.
    @Test func aLowLoadUsesTheOldestConnections() {
        var pool = pool()
        for number: UInt64 in 2...5 { _ = pool.acquire(request(number)) }
        #expect(pool.grow() == dial(2))
        _ = pool.dialSucceeded(dial(2), connection(2), streams: 10)
        for number: UInt64 in 6...10 { #expect(pool.acquire(request(number)) == .use(connection(2))) }
        for _ in 0..<4 { #expect(pool.released(connection(1)) == .keep) }
        for _ in 0..<4 { #expect(pool.released(connection(2)) == .keep) }
        #expect(pool.released(connection(2)) == .park)
        // One request is open. Up to five need only the first connection.
        for number: UInt64 in 11...14 { #expect(pool.acquire(request(number)) == .use(connection(1))) }
        #expect(pool.expire(connection(2)) == true)
        #expect(pool.count == 1)
        #expect(pool.closed(connection(2)) == PoolWork())
    }

    // MARK: Failures

    /// A connection that drains after GOAWAY does not count. The remaining load opens another one.
    @Test func aRetiredConnectionIsReplaced() {
        var pool = pool()
        for number: UInt64 in 2...5 { _ = pool.acquire(request(number)) }
        #expect(pool.grow() == dial(2))
        _ = pool.dialSucceeded(dial(2), connection(2), streams: 10)
        for number: UInt64 in 6...9 { #expect(pool.acquire(request(number)) == .use(connection(2))) }
        #expect(pool.retired(connection(2)) == PoolWork())
        #expect(pool.released(connection(2)) == .discard)
        #expect(pool.acquire(request(10)) == .use(connection(1)))
        #expect(pool.grow() == dial(3))
        #expect(pool.dialSucceeded(dial(3), connection(3), streams: 10) == PoolWork(park: connection(3)))
        #expect(pool.acquire(request(11)) == .use(connection(3)))
        // If all connections drain, the next request gets a dial of its own.
        _ = pool.retired(connection(1))
        _ = pool.retired(connection(3))
        #expect(pool.acquire(request(12)) == .wait(dial: dial(4), closing: nil))
    }

    /// A failed dial for the load is not repeated with every request, but after the connections have changed.
    @Test(arguments: [PoolMachine.DialFailure.unreachable, .noConnectivity, .refused])
    func aFailedDialIsNotRepeatedAtOnce(failure: PoolMachine.DialFailure) {
        var pool = pool()
        for number: UInt64 in 2...5 { _ = pool.acquire(request(number)) }
        #expect(pool.grow() == dial(2))
        #expect(pool.dialFailed(dial(2), failure) == .over(PoolWork()))
        #expect(pool.count == 1)
        for number: UInt64 in 6...8 {
            #expect(pool.acquire(request(number)) == .use(connection(1)))
            #expect(pool.grow() == nil)
        }
        // When no place is free, the request has a dial of its own.
        for number: UInt64 in 9...10 { _ = pool.acquire(request(number)) }
        #expect(pool.acquire(request(11)) == .wait(dial: dial(3), closing: nil))
        _ = pool.dialSucceeded(dial(3), connection(2), streams: 10)
        for number: UInt64 in 12...15 { #expect(pool.acquire(request(number)) == .use(connection(2))) }
        #expect(pool.grow() == dial(4))
    }

    /// A request that waits for a dial for the load does not fail with it. It gets a dial of its own.
    @Test func aWaitingRequestSurvivesTheFailedDial() {
        var pool = pool(loadFactor: 1, streams: 1)
        #expect(pool.grow() == dial(2))
        #expect(pool.acquire(request(2)) == .wait(dial: nil, closing: nil))
        var refused = pool
        let next = PoolWork.Dial(id: dial(3), request: request(2))
        #expect(pool.dialFailed(dial(2), .unreachable) == .over(PoolWork(start: [next])))
        // A server that was refused would be refused again.
        #expect(refused.dialFailed(dial(2), .refused) == .over(PoolWork(fail: [request(2)])))
    }

    /// A dial for the load does not wait for a permit.
    @Test func aDialWithoutAPermitEnds() {
        var pool = pool()
        for number: UInt64 in 2...5 { _ = pool.acquire(request(number)) }
        #expect(pool.grow() == dial(2))
        #expect(pool.abandoned(dial(2)) == PoolWork())
        #expect(pool.count == 1)
        #expect(pool.acquire(request(6)) == .use(connection(1)))
        #expect(pool.grow() == nil)
    }

    /// After a shutdown, no dial is started, and the connection of a dial in progress is closed.
    @Test func aShutdownEndsTheGrowth() {
        var pool = pool()
        for number: UInt64 in 2...5 { _ = pool.acquire(request(number)) }
        #expect(pool.grow() == dial(2))
        #expect(!pool.isEmpty)
        _ = pool.shutDown()
        #expect(pool.grow() == nil)
        #expect(pool.dialSucceeded(dial(2), connection(2), streams: 10) == PoolWork(close: [connection(2)]))
    }

    // MARK: Time

    /// A request that waits for a dial for the load has the timeouts of that dial, and then its own.
    @Test func theWaitForADialIsLimited() {
        func at(_ seconds: Int64) -> NIODeadline { NIODeadline.uptimeNanoseconds(0) + TimeAmount.seconds(seconds) }
        var pool = pool(loadFactor: 1, connections: 2, limit: 2, streams: 1)
        #expect(pool.grow() == dial(2))
        let patience = Patience(idle: .seconds(5))
        let acquired = pool.acquire(request(3), patience, at: at(0))
        #expect(acquired == .wait(dial: nil, closing: nil, timer: at(5)))
        #expect(pool.timerFired(at: at(5), now: at(5)) == PoolTimeouts(timer: at(10)))
        // The connection serves another request, so that the first one waits without a dial.
        _ = pool.acquire(request(4), patience, at: at(5))
        #expect(pool.dialSucceeded(dial(2), connection(2), streams: 1).served == [request(3)])
        #expect(pool.timerFired(at: at(10), now: at(10)) == PoolTimeouts(waiting: [request(4)]))
    }

    // MARK: Random histories

    /// No request waits while a place is free, requests are served in order, the limits hold, and all requests are
    /// served in the end.
    @Test(arguments: 0..<200) func randomHistories(seed: Int) {
        var random = SeededGenerator(seed: UInt64(seed))
        let loadFactor = Double(Int.random(in: 1...10, using: &random)) / 10
        let connections = Int.random(in: 1...4, using: &random)
        var model = DistributedPoolModel(
            limit: Int.random(in: 1...5, using: &random),
            spread: HTTP2Spread(loadFactor: loadFactor, connections: connections))
        for _ in 0..<300 { model.step(&random) }
        model.finish()
    }
}
