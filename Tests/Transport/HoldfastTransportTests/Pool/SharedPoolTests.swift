import HoldfastTestSupport
import Testing

@testable import HoldfastTransport

/// The pool's state machine if connections carry several requests.
@Suite struct SharedPoolTests {
    private func request(_ number: UInt64) -> RequestID { RequestID(number) }
    private func connection(_ number: UInt64) -> TransportConnectionID { TransportConnectionID(number) }
    private func dial(_ number: UInt64) -> DialID { DialID(number: number) }

    /// While the server's version is unknown, all requests wait for one dial.
    @Test func oneDialDeterminesTheVersion() {
        var pool = PoolMachine(limit: 8, speaks: .unknown)
        #expect(pool.acquire(request(1)) == .wait(dial: dial(1), closing: nil))
        for number: UInt64 in 2...20 { #expect(pool.acquire(request(number)) == .wait(dial: nil, closing: nil)) }
        // HTTP/2: all requests use the one connection.
        var multiplexed = pool
        var work = multiplexed.dialSucceeded(dial(1), connection(1), streams: 15)
        #expect(work.served == (1...15).map(request))
        #expect(work.start == [PoolWork.Dial(id: dial(2), request: request(16))])
        // HTTP/1.1: the other requests are dialled at once.
        work = pool.dialSucceeded(dial(1), connection(1))
        #expect(work.served == [request(1)])
        #expect(work.start.map(\.request) == (2...8).map(request))
        #expect(pool.acquire(request(21)) == .wait(dial: nil, closing: nil))
    }

    /// The version is remembered after the connections are closed.
    @Test func theVersionIsRemembered() {
        var pool = PoolMachine(limit: 8, speaks: .unknown)
        _ = pool.acquire(request(1))
        _ = pool.dialSucceeded(dial(1), connection(1))
        _ = pool.closed(connection(1))
        #expect(pool.acquire(request(2)) == .wait(dial: dial(2), closing: nil))
        #expect(pool.acquire(request(3)) == .wait(dial: dial(3), closing: nil))
    }

    /// If the one dial fails, all requests that would use it fail.
    @Test func requestsOfTheSameDialFailTogether() {
        var pool = PoolMachine(limit: 3, speaks: .unknown)
        for number: UInt64 in 1...5 { _ = pool.acquire(request(number)) }
        let next = PoolWork.Dial(id: dial(2), request: request(4))
        #expect(pool.dialFailed(dial(1), .unreachable) == .over(PoolWork(fail: (1...3).map(request), start: [next])))
    }

    @Test func aFullConnectionCausesASecondOne() {
        var pool = PoolMachine(limit: 2, speaks: .several(2))
        _ = pool.acquire(request(1))
        _ = pool.dialSucceeded(dial(1), connection(1), streams: 2)
        #expect(pool.acquire(request(2)) == .use(connection(1)))
        #expect(pool.acquire(request(3)) == .wait(dial: dial(2), closing: nil))
        #expect(pool.acquire(request(4)) == .wait(dial: nil, closing: nil))
        #expect(pool.released(connection(1)) == .serve(request(3)))
        #expect(pool.dialSucceeded(dial(2), connection(2), streams: 2).served == [request(4)])
    }

    /// The server lowers its limit.
    @Test func aLoweredLimitIsKept() {
        var pool = PoolMachine(limit: 1, speaks: .several(3))
        _ = pool.acquire(request(1))
        _ = pool.dialSucceeded(dial(1), connection(1), streams: 3)
        for number: UInt64 in 2...3 { #expect(pool.acquire(request(number)) == .use(connection(1))) }
        #expect(pool.limited(connection(1), streams: 1) == PoolWork())
        #expect(pool.acquire(request(4)) == .wait(dial: nil, closing: nil))
        #expect(pool.released(connection(1)) == .keep)
        #expect(pool.released(connection(1)) == .keep)
        #expect(pool.released(connection(1)) == .serve(request(4)))
        #expect(pool.limited(connection(1), streams: 0) == PoolWork())
        #expect(pool.released(connection(1)) == .park)
        #expect(pool.acquire(request(5)) == .wait(dial: dial(2), closing: connection(1)))
    }

    /// The server's limit applies to connections on which it has announced none, also after all others are closed.
    @Test func theLimitIsRemembered() {
        var pool = PoolMachine(limit: 3, speaks: .several(100))
        for number: UInt64 in 1...110 { _ = pool.acquire(request(number)) }
        #expect(pool.dialSucceeded(dial(1), connection(1), streams: 100).serve.count == 100)
        #expect(pool.dialSucceeded(dial(2), connection(2), streams: 100).serve.count == 10)
        #expect(pool.limited(connection(1), streams: 12) == PoolWork())
        for number: UInt64 in 111...112 { #expect(pool.acquire(request(number)) == .use(connection(2))) }
        for number: UInt64 in 113...130 { _ = pool.acquire(request(number)) }
        #expect(pool.dialSucceeded(dial(3), connection(3), streams: 100).served == (113...124).map(request))
        for number: UInt64 in 1...3 { #expect(pool.closed(connection(number)).start.count == (number == 1 ? 1 : 0)) }
        #expect(pool.dialSucceeded(dial(4), connection(4), streams: 100).served == (125...130).map(request))
        // A limit on one connection does not raise the limit of the others.
        #expect(pool.limited(connection(4), streams: 200) == PoolWork())
        #expect(pool.speaks == .several(200))
    }

    /// A limit of zero on one connection does not mean zero on the next connection.
    @Test func withALimitOfZeroOneRequestIsTried() {
        var pool = PoolMachine(limit: 2, speaks: .several(100))
        _ = pool.acquire(request(1))
        _ = pool.dialSucceeded(dial(1), connection(1), streams: 100)
        _ = pool.limited(connection(1), streams: 0)
        for number: UInt64 in 2...3 { _ = pool.acquire(request(number)) }
        #expect(pool.dialSucceeded(dial(2), connection(2), streams: 100).served == [request(2)])
    }

    /// A refused request asks for a new connection. If none is allowed, it uses a free place on an existing one.
    @Test func withoutANewConnectionAFreePlaceIsUsed() {
        var pool = PoolMachine(limit: 1, speaks: .several(100))
        for number: UInt64 in 1...2 { _ = pool.acquire(request(number)) }
        #expect(pool.dialSucceeded(dial(1), connection(1), streams: 100).served == [request(1), request(2)])
        #expect(pool.released(connection(1)) == .keep)
        #expect(pool.acquire(request(2), fresh: true) == .use(connection(1)))
    }

    /// The same for a request whose dial waits for a permit, and for one that finds no place on the new connection.
    @Test func withoutADialAFreePlaceIsUsed() {
        var pool = PoolMachine(limit: 2, speaks: .several(9))
        _ = pool.acquire(request(1))
        _ = pool.dialSucceeded(dial(1), connection(1), streams: 9)
        #expect(pool.acquire(request(2), fresh: true) == .wait(dial: dial(2), closing: nil))
        #expect(pool.acquire(request(3), fresh: true) == .wait(dial: nil, closing: nil))
        var starved = pool
        #expect(starved.postponed(dial(2)) == .serving(request(2), request(3), on: connection(1)))
        #expect(starved.resumed(dial(2)) == nil)
        let work = pool.dialSucceeded(dial(2), connection(2), streams: 1)
        #expect(work.served == [request(2), request(3)])
        #expect(work.serve.map(\.connection) == [connection(2), connection(1)])
        #expect(work.start.isEmpty)
    }

    @Test func aRetiredConnectionGetsNoRequests() {
        var pool = PoolMachine(limit: 1, speaks: .several(9))
        _ = pool.acquire(request(1))
        _ = pool.dialSucceeded(dial(1), connection(1), streams: 9)
        #expect(pool.retired(connection(1)) == PoolWork())
        #expect(pool.count == 0)
        #expect(pool.acquire(request(2)) == .wait(dial: dial(2), closing: nil))
        #expect(pool.released(connection(1)) == .discard)
    }

    @Test func aShutdownLetsStreamsFinish() {
        var pool = PoolMachine(limit: 2, speaks: .several(9))
        _ = pool.acquire(request(1))
        _ = pool.dialSucceeded(dial(1), connection(1), streams: 9)
        _ = pool.acquire(request(2))
        #expect(pool.shutDown() == PoolWork())
        #expect(pool.acquire(request(3)) == .refuse)
        #expect(pool.released(connection(1)) == .keep)
        #expect(pool.released(connection(1)) == .discard)
    }

    @Test(arguments: 0..<300)
    func randomHistoriesAgreeWithTheModel(seed: Int) throws {
        var random = SeededGenerator(seed: UInt64(seed))
        let limit = Int.random(in: 1...4, using: &random)
        var pool = PoolMachine(limit: limit, speaks: .unknown)
        var model = SharedPoolModel(limit: limit)
        var last: UInt64 = 0
        for _ in 0..<300 {
            switch Int.random(in: 0..<18, using: &random) {
            case 0...4:
                last += 1
                let fresh = Int.random(in: 0..<8, using: &random) == 0
                model.acquired(request(last), pool.acquire(request(last), fresh: fresh), fresh: fresh)
            case 5, 6:
                guard let dial = model.dialling.randomElement(using: &random) else { continue }
                last += 1
                let streams = Int.random(in: 1...4, using: &random)
                let work = pool.dialSucceeded(dial, connection(last), streams: streams)
                model.dialSucceeded(dial, connection(last), streams: streams, work)
            case 7:
                guard let dial = model.dialling.randomElement(using: &random) else { continue }
                let end = pool.dialFailed(dial, Bool.random(using: &random) ? .unreachable : .noConnectivity)
                model.dialFailed(dial, try #require(end.work))
            case 8...11:
                guard let (connection, request) = model.places.randomElement(using: &random) else { continue }
                let yields = Int.random(in: 0..<8, using: &random) == 0
                model.released(connection, request, pool.released(connection, yields: yields), yields: yields)
            case 12:
                guard let connection = model.open.keys.sorted().randomElement(using: &random) else { continue }
                let streams = Int.random(in: 0...4, using: &random)
                let work = pool.limited(connection, streams: streams)
                model.limited(connection, streams: streams)
                #expect(work.serve.allSatisfy { $0.connection == connection })
                model.filled(connection, work.served)
                model.started(work.start)
            case 13:
                guard let connection = model.open.keys.sorted().randomElement(using: &random) else { continue }
                model.retire(connection)
                model.started(pool.retired(connection).start)
            case 14:
                guard let connection = model.open.keys.sorted().randomElement(using: &random) else { continue }
                model.open[connection] = nil
                model.started(pool.closed(connection).start)
            case 15:
                guard let dial = model.dialling.randomElement(using: &random) else { continue }
                model.postponed.insert(dial)
                model.placed(pool.postponed(dial).serve)
            case 16:
                guard let dial = model.postponed.sorted().randomElement(using: &random) else { continue }
                model.resumed(dial, for: pool.resumed(dial))
            default:
                guard let waiting = model.waiting.randomElement(using: &random) else { continue }
                pool.withdraw(waiting)
                model.waiting.removeAll { $0 == waiting }
            }
            model.check(pool)
        }
    }
}
