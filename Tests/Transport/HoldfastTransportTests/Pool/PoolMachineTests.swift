import HoldfastTestSupport
import Testing

@testable import HoldfastTransport

/// The pool's state machine: single rules, then random histories, compared with an independent model.
@Suite struct PoolMachineTests {
    private func request(_ number: UInt64) -> RequestID { RequestID(number) }
    private func connection(_ number: UInt64) -> TransportConnectionID { TransportConnectionID(number) }

    private func dial(_ acquired: PoolMachine.Acquired) throws -> DialID {
        guard case .wait(let dial?, _, _) = acquired else { throw MissingError() }
        return dial
    }

    @Test func theConnectionUsedLastIsReusedFirst() throws {
        var pool = PoolMachine(limit: 3)
        for number in 1...3 {
            let dial = try dial(pool.acquire(request(UInt64(number))))
            let (request, connection) = (request(UInt64(number)), connection(UInt64(number)))
            #expect(pool.dialSucceeded(dial, connection) == .serving(request, on: connection))
        }
        for number in [2, 1, 3] { #expect(pool.released(connection(UInt64(number))) == .park) }
        #expect(pool.acquire(request(4)) == .use(connection(3)))
        #expect(pool.acquire(request(5)) == .use(connection(1)))
        #expect(pool.acquire(request(6)) == .use(connection(2)))
        #expect(pool.acquire(request(7)) == .wait(dial: nil, closing: nil))
    }

    @Test func waitingRequestsAreServedInOrder() throws {
        var pool = PoolMachine(limit: 1)
        let dial = try dial(pool.acquire(request(1)))
        #expect(pool.acquire(request(2)) == .wait(dial: nil, closing: nil))
        #expect(pool.acquire(request(3)) == .wait(dial: nil, closing: nil))
        #expect(pool.dialSucceeded(dial, connection(1)) == .serving(request(1), on: connection(1)))
        pool.withdraw(request(2))
        #expect(pool.released(connection(1)) == .serve(request(3)))
        #expect(pool.released(connection(1)) == .park)
    }

    @Test func aNewConnectionReplacesAStaleOne() throws {
        var pool = PoolMachine(limit: 2)
        for number: UInt64 in 1...2 {
            let dial = try dial(pool.acquire(request(number)))
            _ = pool.dialSucceeded(dial, connection(number))
        }
        _ = pool.released(connection(1))
        _ = pool.released(connection(2))
        // The connection that has been idle longest is closed.
        #expect(pool.acquire(request(3), fresh: true) == .wait(dial: DialID(number: 3), closing: connection(1)))
        #expect(pool.dialSucceeded(DialID(number: 3), connection(3)) == .serving(request(3), on: connection(3)))
        #expect(pool.acquire(request(4)) == .use(connection(2)))
    }

    /// A released connection does not serve a request that lost one. It makes room for the request's dial.
    @Test func aRequestThatLostAConnectionWaitsForADial() throws {
        var pool = PoolMachine(limit: 1)
        let dial = try dial(pool.acquire(request(1)))
        _ = pool.dialSucceeded(dial, connection(1))
        #expect(pool.acquire(request(2), fresh: true) == .wait(dial: nil, closing: nil))
        #expect(pool.acquire(request(3)) == .wait(dial: nil, closing: nil))
        #expect(pool.released(connection(1)) == .discard)
        let next = PoolWork.Dial(id: DialID(number: 2), request: request(2))
        #expect(pool.closed(connection(1)) == PoolWork(start: [next]))
        #expect(pool.dialSucceeded(next.id, connection(2)) == .serving(request(2), on: connection(2)))
        #expect(pool.released(connection(2)) == .serve(request(3)))
    }

    /// While its dial is in progress, released connections serve the requests behind it.
    @Test func aRequestThatLostAConnectionHoldsNobodyUp() throws {
        var pool = PoolMachine(limit: 2)
        let first = try dial(pool.acquire(request(1)))
        _ = pool.dialSucceeded(first, connection(1))
        let second = try dial(pool.acquire(request(2), fresh: true))
        #expect(pool.acquire(request(3)) == .wait(dial: nil, closing: nil))
        #expect(pool.released(connection(1)) == .serve(request(3)))
        #expect(pool.released(connection(1)) == .park)
        // The request's dial has to wait for a permit, which a closed connection returns.
        #expect(pool.acquire(request(4)) == .use(connection(1)))
        _ = pool.postponed(second)
        #expect(pool.released(connection(1)) == .discard)
    }

    @Test func aFailedDialFailsItsRequest() throws {
        var pool = PoolMachine(limit: 1)
        let dial = try dial(pool.acquire(request(1)))
        _ = pool.acquire(request(2))
        let next = PoolWork.Dial(id: DialID(number: 2), request: request(2))
        #expect(pool.dialFailed(dial, .noConnectivity) == .over(PoolWork(fail: [request(1)], start: [next])))
    }

    @Test func aRefusedServerFailsAllRequests() throws {
        var pool = PoolMachine(limit: 1)
        let dial = try dial(pool.acquire(request(1)))
        _ = pool.acquire(request(2))
        #expect(pool.dialFailed(dial, .refused) == .over(PoolWork(fail: [request(1), request(2)])))
        #expect(pool.count == 0)
    }

    @Test func aClosedConnectionAllowsADial() throws {
        var pool = PoolMachine(limit: 1)
        let dial = try dial(pool.acquire(request(1)))
        _ = pool.dialSucceeded(dial, connection(1))
        _ = pool.acquire(request(2))
        let next = PoolWork.Dial(id: DialID(number: 2), request: request(2))
        #expect(pool.closed(connection(1)) == PoolWork(start: [next]))
        #expect(pool.dialSucceeded(next.id, connection(2)) == .serving(request(2), on: connection(2)))
    }

    @Test func anIdleConnectionExpiresOnlyWhileItIsIdle() throws {
        var pool = PoolMachine(limit: 1)
        let dial = try dial(pool.acquire(request(1)))
        _ = pool.dialSucceeded(dial, connection(1))
        #expect(pool.expire(connection(1)) == false)
        _ = pool.released(connection(1))
        #expect(pool.expire(connection(1)) == true)
        #expect(pool.expire(connection(1)) == false)
        #expect(pool.count == 0)
    }

    @Test func afterAShutdownNoConnectionIsAssigned() throws {
        var pool = PoolMachine(limit: 3)
        let first = try dial(pool.acquire(request(1)))
        let second = try dial(pool.acquire(request(2)))
        _ = pool.dialSucceeded(first, connection(1))
        #expect(pool.shutDown() == PoolWork(fail: [request(2)]))
        #expect(pool.dialSucceeded(second, connection(2)) == PoolWork(close: [connection(2)]))
        #expect(pool.released(connection(1)) == .discard)
        #expect(pool.acquire(request(3)) == .refuse)
        #expect(pool.count == 0)
    }

    @Test func aPostponedDialIsRetriedOnlyIfNeeded() throws {
        var pool = PoolMachine(limit: 1)
        let dial = try dial(pool.acquire(request(1)))
        #expect(pool.postponed(dial) == PoolWork())
        #expect(!pool.isDialling)
        #expect(!pool.isDialling(for: request(1)))
        #expect(pool.resumed(dial) == request(1))
        #expect(pool.isDialling)
        #expect(pool.isDialling(for: request(1)))
        _ = pool.postponed(dial)
        pool.withdraw(request(1))
        #expect(pool.resumed(dial) == nil)
        #expect(pool.count == 0)
    }

    /// The dial of a cancelled request serves the next request, which starts no dial of its own.
    @Test func aPostponedDialServesTheNextRequest() throws {
        var pool = PoolMachine(limit: 1)
        let dial = try dial(pool.acquire(request(1)))
        _ = pool.postponed(dial)
        #expect(pool.acquire(request(2)) == .wait(dial: nil, closing: nil))
        pool.withdraw(request(1))
        #expect(pool.resumed(dial) == request(2))
        #expect(pool.dialSucceeded(dial, connection(1)) == .serving(request(2), on: connection(1)))
    }

    @Test func theQueueIsLimited() throws {
        var pool = PoolMachine(limit: 1, queue: 2)
        _ = pool.acquire(request(1))
        _ = pool.acquire(request(2))
        #expect(pool.acquire(request(3)) == .full)
        // A request that failed on a stale connection is not refused.
        #expect(pool.acquire(request(4), fresh: true) == .wait(dial: nil, closing: nil))
        pool.withdraw(request(2))
        pool.withdraw(request(4))
        #expect(pool.acquire(request(5)) == .wait(dial: nil, closing: nil))
    }

    /// The model tracks connections, requests and dials from outside. It checks that these never happen: a connection
    /// is assigned twice or after its close; a request is served twice or forgotten; there are too many connections; a
    /// request waits although a connection is available.
    @Test(arguments: 0..<200)
    func randomHistoriesAgreeWithTheModel(seed: Int) throws {
        var random = SeededGenerator(seed: UInt64(seed))
        let limit = Int.random(in: 1...4, using: &random)
        let queue = Int.random(in: 2...6, using: &random)
        var pool = PoolMachine(limit: limit, queue: queue)
        var model = PoolModel(limit: limit, queue: queue)
        var nextRequest: UInt64 = 0
        var nextConnection: UInt64 = 0
        for _ in 0..<300 {
            switch Int.random(in: 0..<15, using: &random) {
            case 0...3:
                nextRequest += 1
                let id = request(nextRequest)
                let fresh = Int.random(in: 0..<8, using: &random) == 0
                model.acquired(id, pool.acquire(id, fresh: fresh), fresh: fresh)
            case 4, 5:
                guard let dial = model.dialling.randomElement(using: &random) else { continue }
                nextConnection += 1
                model.dialSucceeded(
                    dial, connection(nextConnection), pool.dialSucceeded(dial, connection(nextConnection)))
            case 6:
                guard let dial = model.dialling.randomElement(using: &random) else { continue }
                let all = Bool.random(using: &random)
                let end = pool.dialFailed(dial, all ? .refused : .noConnectivity)
                model.dialFailed(dial, try #require(end.work), all: all)
            case 7, 8:
                guard let busy = model.busy.sorted().randomElement(using: &random) else { continue }
                let yields = Int.random(in: 0..<8, using: &random) == 0
                let freed = pool.released(busy, yields: yields)
                model.released(busy, freed, yields: yields)
                if freed == .discard { model.closed(busy, pool.closed(busy)) }
            case 9:
                guard let any = model.open.sorted().randomElement(using: &random) else { continue }
                model.closed(any, pool.closed(any))
            case 10:
                guard let any = model.open.sorted().randomElement(using: &random) else { continue }
                model.expired(any, pool.expire(any))
            case 11:
                guard let dial = model.dialling.randomElement(using: &random) else { continue }
                #expect(pool.postponed(dial) == PoolWork())
                model.postponed.insert(dial)
            case 12:
                guard let dial = model.postponed.sorted().randomElement(using: &random) else { continue }
                model.resumed(dial, for: pool.resumed(dial))
            case 13:
                model.evicted(pool.evictIdle())
            default:
                guard let waiting = model.waiting.randomElement(using: &random) else { continue }
                pool.withdraw(waiting)
                model.withdrawn(waiting)
            }
            model.check(pool)
        }
        #expect(pool.shutDown() == PoolWork(fail: model.waiting, close: model.idle))
    }
}
