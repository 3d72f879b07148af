import HoldfastTestSupport
import Testing

@testable import HoldfastTransport

/// The pool's machine where connections carry several requests at a time.
@Suite struct SharedPoolTests {
    private func request(_ number: UInt64) -> RequestID { RequestID(number) }
    private func connection(_ number: UInt64) -> ConnectionID { ConnectionID(number) }
    private func dial(_ number: UInt64) -> DialID { DialID(number: number) }

    /// As long as nobody knows what the server speaks, one dial finds out for all.
    @Test func oneDialFindsOut() {
        var pool = PoolMachine(limit: 8, speaks: .unknown)
        #expect(pool.acquire(request(1)) == .wait(dial: dial(1), closing: nil))
        for number: UInt64 in 2...20 { #expect(pool.acquire(request(number)) == .wait(dial: nil, closing: nil)) }
        // HTTP/2: all of them go out on the one connection.
        var multiplexed = pool
        #expect(multiplexed.dialSucceeded(dial(1), connection(1), streams: 15) == .serve(request(1)))
        #expect(multiplexed.fill(connection(1)) == (2...15).map(request))
        #expect(multiplexed.dialsDue() == [dial(2)])
        // HTTP/1.1: the others are dialled for at once.
        #expect(pool.dialSucceeded(dial(1), connection(1)) == .serve(request(1)))
        #expect(pool.fill(connection(1)) == [])
        let dials = pool.dialsDue()
        #expect(dials.count == 7)
        #expect(pool.acquire(request(21)) == .wait(dial: nil, closing: nil))
    }

    /// What was found out is remembered when the connections are gone.
    @Test func whatWasFoundOutIsRemembered() {
        var pool = PoolMachine(limit: 8, speaks: .unknown)
        _ = pool.acquire(request(1))
        _ = pool.dialSucceeded(dial(1), connection(1))
        _ = pool.closed(connection(1))
        #expect(pool.acquire(request(2)) == .wait(dial: dial(2), closing: nil))
        #expect(pool.acquire(request(3)) == .wait(dial: dial(3), closing: nil))
    }

    /// The one dial fails: so do those that would each have had one of their own.
    @Test func whoWaitsForTheSameDialSharesItsFate() {
        var pool = PoolMachine(limit: 3, speaks: .unknown)
        for number: UInt64 in 1...5 { _ = pool.acquire(request(number)) }
        let (fail, start) = pool.dialFailed(dial(1), failsAll: false, failsSharers: true)
        #expect(fail == (1...3).map(request))
        #expect(start == [dial(2)])
        #expect(pool.requester(of: dial(2)) == request(4))
    }

    @Test func aFullConnectionGetsASecond() {
        var pool = PoolMachine(limit: 2, speaks: .several(2))
        _ = pool.acquire(request(1))
        _ = pool.dialSucceeded(dial(1), connection(1), streams: 2)
        #expect(pool.acquire(request(2)) == .use(connection(1)))
        #expect(pool.acquire(request(3)) == .wait(dial: dial(2), closing: nil))
        #expect(pool.acquire(request(4)) == .wait(dial: nil, closing: nil))
        #expect(pool.released(connection(1)) == .serve(request(3)))
        #expect(pool.dialSucceeded(dial(2), connection(2), streams: 2) == .serve(request(4)))
    }

    /// The server takes back what it allowed.
    @Test func aLimitThatShrinksIsKept() {
        var pool = PoolMachine(limit: 1, speaks: .several(3))
        _ = pool.acquire(request(1))
        _ = pool.dialSucceeded(dial(1), connection(1), streams: 3)
        for number: UInt64 in 2...3 { #expect(pool.acquire(request(number)) == .use(connection(1))) }
        pool.limited(connection(1), streams: 1)
        #expect(pool.acquire(request(4)) == .wait(dial: nil, closing: nil))
        #expect(pool.released(connection(1)) == .keep)
        #expect(pool.released(connection(1)) == .keep)
        #expect(pool.released(connection(1)) == .serve(request(4)))
        pool.limited(connection(1), streams: 0)
        #expect(pool.released(connection(1)) == .park)
        #expect(pool.acquire(request(5)) == .wait(dial: dial(2), closing: connection(1)))
    }

    /// What the server has said holds for the connections on which it has not yet said anything, also when all are gone.
    @Test func whatIsAllowedIsRemembered() {
        var pool = PoolMachine(limit: 3, speaks: .several(100))
        for number: UInt64 in 1...110 { _ = pool.acquire(request(number)) }
        _ = pool.dialSucceeded(dial(1), connection(1), streams: 100)
        #expect(pool.fill(connection(1)).count == 99)
        _ = pool.dialSucceeded(dial(2), connection(2), streams: 100)
        #expect(pool.fill(connection(2)).count == 9)
        pool.limited(connection(1), streams: 12)
        for number: UInt64 in 111...112 { #expect(pool.acquire(request(number)) == .use(connection(2))) }
        for number: UInt64 in 113...130 { _ = pool.acquire(request(number)) }
        #expect(pool.dialSucceeded(dial(3), connection(3), streams: 100) == .serve(request(113)))
        #expect(pool.fill(connection(3)).count == 11)
        for number: UInt64 in 1...3 { #expect(pool.closed(connection(number)).count == (number == 1 ? 1 : 0)) }
        #expect(pool.dialSucceeded(dial(4), connection(4), streams: 100) == .serve(request(125)))
        #expect(pool.fill(connection(4)).count == 5)
        // What is said on one connection raises no other's limit.
        pool.limited(connection(4), streams: 200)
        #expect(pool.speaks == .several(200))
    }

    /// No requests for a while do not mean none on the next connection.
    @Test func whereNoneIsAllowedOneIsTried() {
        var pool = PoolMachine(limit: 2, speaks: .several(100))
        _ = pool.acquire(request(1))
        _ = pool.dialSucceeded(dial(1), connection(1), streams: 100)
        pool.limited(connection(1), streams: 0)
        for number: UInt64 in 2...3 { _ = pool.acquire(request(number)) }
        #expect(pool.dialSucceeded(dial(2), connection(2), streams: 100) == .serve(request(2)))
        #expect(pool.fill(connection(2)) == [])
    }

    /// A request that was refused asks for a fresh connection. Where there can be none, it does not wait while there are places.
    @Test func whereNoFreshConnectionIsToBeHadAPlaceWillDo() {
        var pool = PoolMachine(limit: 1, speaks: .several(100))
        for number: UInt64 in 1...2 { _ = pool.acquire(request(number)) }
        _ = pool.dialSucceeded(dial(1), connection(1), streams: 100)
        #expect(pool.fill(connection(1)) == [request(2)])
        #expect(pool.released(connection(1)) == .keep)
        #expect(pool.acquire(request(2), fresh: true) == .use(connection(1)))
    }

    /// So does one whose dial has to wait for a permit, and one that the fresh connection has no place for.
    @Test func aPlaceWillDoWhereNothingIsDialled() {
        var pool = PoolMachine(limit: 2, speaks: .several(9))
        _ = pool.acquire(request(1))
        _ = pool.dialSucceeded(dial(1), connection(1), streams: 9)
        #expect(pool.acquire(request(2), fresh: true) == .wait(dial: dial(2), closing: nil))
        #expect(pool.acquire(request(3), fresh: true) == .wait(dial: nil, closing: nil))
        #expect(pool.places().isEmpty)
        var starved = pool
        starved.postponed(dial(2))
        #expect(starved.places().map(\.0) == [request(2), request(3)])
        #expect(starved.resumed(dial(2)) == false)
        #expect(pool.dialSucceeded(dial(2), connection(2), streams: 1) == .serve(request(2)))
        #expect(pool.fill(connection(2)).isEmpty && pool.dialsDue().isEmpty)
        let places = pool.places()
        #expect(places.map(\.0) == [request(3)] && places.map(\.1) == [connection(1)])
    }

    @Test func aRetiredConnectionGetsNothingMore() {
        var pool = PoolMachine(limit: 1, speaks: .several(9))
        _ = pool.acquire(request(1))
        _ = pool.dialSucceeded(dial(1), connection(1), streams: 9)
        let dials = pool.retired(connection(1))
        #expect(dials.isEmpty)
        #expect(pool.count == 0)
        #expect(pool.acquire(request(2)) == .wait(dial: dial(2), closing: nil))
        #expect(pool.released(connection(1)) == .discard)
    }

    @Test func aShutDownLetsStreamsEnd() {
        var pool = PoolMachine(limit: 2, speaks: .several(9))
        _ = pool.acquire(request(1))
        _ = pool.dialSucceeded(dial(1), connection(1), streams: 9)
        _ = pool.acquire(request(2))
        let (idle, _, _) = pool.shutDown()
        #expect(idle.isEmpty)
        #expect(pool.acquire(request(3)) == .refuse)
        #expect(pool.released(connection(1)) == .keep)
        #expect(pool.released(connection(1)) == .discard)
    }

    @Test(arguments: 0..<300)
    func randomHistoriesAgreeWithTheModel(seed: Int) {
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
                let outcome = pool.dialSucceeded(dial, connection(last), streams: streams)
                let more = pool.fill(connection(last))
                model.dialSucceeded(dial, connection(last), streams: streams, outcome, more: more)
                model.started(pool.dialsDue())
                model.placed(pool.places())
            case 7:
                guard let dial = model.dialling.randomElement(using: &random) else { continue }
                let requester = pool.requester(of: dial)
                let (fail, start) = pool.dialFailed(
                    dial, failsAll: false, failsSharers: Bool.random(using: &random))
                model.dialFailed(dial, fail: fail, requester: requester)
                model.started(start)
            case 8...11:
                guard let (connection, request) = model.places.randomElement(using: &random) else { continue }
                model.released(connection, request, pool.released(connection))
            case 12:
                guard let connection = model.open.keys.sorted().randomElement(using: &random) else { continue }
                let streams = Int.random(in: 0...4, using: &random)
                pool.limited(connection, streams: streams)
                model.limited(connection, streams: streams)
                model.filled(connection, pool.fill(connection))
                model.started(pool.dialsDue())
            case 13:
                guard let connection = model.open.keys.sorted().randomElement(using: &random) else { continue }
                model.retire(connection)
                model.started(pool.retired(connection))
            case 14:
                guard let connection = model.open.keys.sorted().randomElement(using: &random) else { continue }
                model.open[connection] = nil
                model.started(pool.closed(connection))
            case 15:
                guard let dial = model.dialling.randomElement(using: &random) else { continue }
                pool.postponed(dial)
                model.postponed.insert(dial)
                model.placed(pool.places())
            case 16:
                guard let dial = model.postponed.sorted().randomElement(using: &random) else { continue }
                model.resumed(dial, pool.resumed(dial), for: pool.requester(of: dial))
            default:
                guard let waiting = model.waiting.randomElement(using: &random) else { continue }
                pool.withdraw(waiting)
                model.waiting.removeAll { $0 == waiting }
            }
            model.check(pool)
        }
    }
}
