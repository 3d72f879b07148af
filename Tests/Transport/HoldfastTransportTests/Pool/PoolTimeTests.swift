import NIOCore
import Testing

@testable import HoldfastTransport

/// The pool's timeouts: how long requests wait in the queue and for the network, and the timer that they share.
@Suite struct PoolTimeTests {
    private func request(_ number: UInt64) -> RequestID { RequestID(number) }
    private func connection(_ number: UInt64) -> TransportConnectionID { TransportConnectionID(number) }
    private func dial(_ number: UInt64) -> DialID { DialID(number: number) }
    private func at(_ seconds: Int64) -> NIODeadline { .uptimeNanoseconds(0) + .seconds(seconds) }

    private func patience(_ idle: Int64, total: Int64? = nil, network: Bool = false) -> Patience {
        Patience(idle: .seconds(idle), total: total.map(at), waitsForConnectivity: network)
    }

    /// Returns a pool whose only connection is in use.
    private func busyPool() -> PoolMachine {
        var pool = PoolMachine(limit: 1)
        _ = pool.acquire(request(1), patience(100), at: at(0))
        _ = pool.dialSucceeded(dial(1), connection(1))
        _ = pool.timerFired(at: at(100), now: at(100))
        return pool
    }

    @Test func theTimerIsSetOnlyForAnEarlierTime() {
        var pool = busyPool()
        #expect(
            pool.acquire(request(2), patience(30), at: at(0)) == .wait(dial: nil, closing: nil, timer: at(30)))
        #expect(pool.acquire(request(3), patience(30), at: at(1)) == .wait(dial: nil, closing: nil))
        #expect(
            pool.acquire(request(4), patience(9), at: at(2)) == .wait(dial: nil, closing: nil, timer: at(11)))
        // The first timer no longer counts.
        #expect(pool.timerFired(at: at(30), now: at(30)) == PoolTimeouts())
        #expect(pool.timerFired(at: at(11), now: at(11)) == PoolTimeouts(waiting: [request(4)], timer: at(30)))
        #expect(pool.timerFired(at: at(30), now: at(30)) == PoolTimeouts(waiting: [request(2)], timer: at(31)))
        #expect(pool.timerFired(at: at(31), now: at(31)) == PoolTimeouts(waiting: [request(3)]))
        // The next waiting request sets the timer again.
        #expect(
            pool.acquire(request(5), patience(30), at: at(40)) == .wait(dial: nil, closing: nil, timer: at(70)))
        #expect(pool.released(connection(1)) == .serve(request(5)))
        #expect(pool.timerFired(at: at(70), now: at(70)) == PoolTimeouts())
    }

    @Test func theTotalTimeoutEndsBeforeTheIdleTimeout() {
        var pool = busyPool()
        #expect(
            pool.acquire(request(2), patience(30, total: 5), at: at(0))
                == .wait(dial: nil, closing: nil, timer: at(5)))
        #expect(pool.timerFired(at: at(5), now: at(5)) == PoolTimeouts(total: [request(2)]))
        #expect(!pool.isWaiting(request(2)))
    }

    /// A dial in progress has its own timeouts.
    @Test func aRequestWaitsForItsDial() {
        var pool = PoolMachine(limit: 1)
        _ = pool.acquire(request(1), patience(30, total: 70), at: at(0))
        #expect(pool.timerFired(at: at(30), now: at(30)) == PoolTimeouts(timer: at(60)))
        #expect(pool.timerFired(at: at(60), now: at(60)) == PoolTimeouts(timer: at(70)))
        #expect(pool.timerFired(at: at(70), now: at(70)) == PoolTimeouts(total: [request(1)]))
    }

    /// A dial that waits for a permit is not in progress.
    @Test func aPostponedDialDoesNotCount() {
        var pool = PoolMachine(limit: 1)
        _ = pool.acquire(request(1), patience(30), at: at(0))
        #expect(pool.postponed(dial(1)) == PoolWork())
        #expect(pool.timerFired(at: at(30), now: at(30)) == PoolTimeouts(waiting: [request(1)]))
        #expect(pool.resumed(dial(1)) == nil)
        #expect(pool.isEmpty)
    }

    @Test func theWaitsForTheNetworkGrow() {
        var pool = PoolMachine(limit: 1)
        _ = pool.acquire(request(1), patience(30, total: 100, network: true), at: at(0))
        for delay: Int64 in [500, 1000, 2000, 4000, 8000, 8000] {
            #expect(pool.dialFailed(dial(1), .noConnectivity) == .again(after: .milliseconds(delay), PoolWork()))
            #expect(pool.resumed(dial(1)) == request(1))
        }
        _ = pool.dialFailed(dial(1), .noConnectivity)
        // The idle timeout does not count while the request waits for the network.
        #expect(pool.timerFired(at: at(30), now: at(30)) == PoolTimeouts(timer: at(100)))
        #expect(pool.timerFired(at: at(100), now: at(100)) == PoolTimeouts(total: [request(1)]))
    }

    /// One request waits for the network. A second request with the same dial does not, and gets its own dial.
    @Test func aRequestThatDoesNotWaitGetsItsOwnDial() {
        var pool = PoolMachine(limit: 2, speaks: .unknown)
        _ = pool.acquire(request(1), patience(30, network: true), at: at(0))
        _ = pool.acquire(request(2), patience(30), at: at(0))
        let next = PoolWork.Dial(id: dial(2), request: request(2))
        #expect(
            pool.dialFailed(dial(1), .noConnectivity) == .again(after: .milliseconds(500), PoolWork(start: [next])))
        #expect(pool.dialFailed(dial(2), .noConnectivity) == .over(PoolWork(fail: [request(2)])))
        #expect(pool.isWaiting(request(1)))
    }

    /// After a shutdown no dial waits for the network.
    @Test func theShutdownEndsTheWait() {
        var pool = PoolMachine(limit: 1)
        _ = pool.acquire(request(1), patience(30, network: true), at: at(0))
        #expect(pool.shutDown() == PoolWork(fail: [request(1)]))
        #expect(pool.dialFailed(dial(1), .noConnectivity) == .over(PoolWork()))
        #expect(pool.isEmpty)
    }

    /// An unneeded connection, new or idle again, is closed so that a different host can connect.
    @Test func anIdleConnectionIsClosedForAnotherHost() {
        var pool = PoolMachine(limit: 1)
        _ = pool.acquire(request(1), patience(30), at: at(0))
        pool.withdraw(request(1))
        #expect(pool.dialSucceeded(dial(1), connection(1), yields: true) == PoolWork(close: [connection(1)]))
        _ = pool.acquire(request(2), patience(30), at: at(0))
        let served = PoolWork.serving(request(2), on: connection(2))
        #expect(pool.dialSucceeded(dial(2), connection(2), yields: true) == served)
        #expect(pool.released(connection(2), yields: true) == .discard)
        #expect(pool.count == 0)
    }

    /// Only an empty pool is removed, and a removed pool accepts no request.
    @Test func onlyAnEmptyPoolIsRemoved() {
        var pool = PoolMachine(limit: 1)
        _ = pool.acquire(request(1), patience(30), at: at(0))
        #expect(pool.retire() == false)
        _ = pool.dialSucceeded(dial(1), connection(1))
        _ = pool.closed(connection(1))
        // Its channel is still open.
        #expect(pool.retire() == false)
        pool.channelClosed()
        #expect(pool.retire() == true)
        #expect(pool.acquire(request(2), patience(30), at: at(0)) == .elsewhere)
    }
}
