import HoldfastTestSupport
import Testing

@testable import HoldfastTransport

/// A model of a pool that distributes requests by load, with the rules that must hold after every event.
struct DistributedPoolModel {
    private struct Load {
        var carried: Set<RequestID> = []
        var limit: Int
        var fraction: Double { Double(carried.count) / Double(limit) }
        var hasPlace: Bool { carried.count < limit }
    }

    private let maximum: Int
    private var pool: PoolMachine
    /// Oldest first.
    private var open: [(id: TransportConnectionID, load: Load)] = []
    /// The connections that only finish their requests.
    private var draining: [(id: TransportConnectionID, carried: Set<RequestID>)] = []
    private var dials: [DialID] = []
    private var waiting: [RequestID] = []
    /// The server's last limit, and the connections on which it announced one.
    private var announced: Int?
    private var said: Set<TransportConnectionID> = []
    private var last: UInt64 = 0
    private var lastConnection: UInt64 = 0

    init(limit: Int, spread: HTTP2Spread) {
        maximum = min(limit, spread.connections)
        pool = PoolMachine(limit: limit, speaks: .several(3), spread: spread)
    }

    mutating func step(_ random: inout SeededGenerator) {
        switch Int.random(in: 0..<17, using: &random) {
        case 0...5: submit()
        case 6, 7:
            if let dial = dials.randomElement(using: &random) { succeed(dial, Int.random(in: 1...4, using: &random)) }
        case 8:
            if let dial = dials.randomElement(using: &random) { fail(dial) }
        case 9...12:
            if let place = places.randomElement(using: &random) { complete(place.0, place.1) }
        case 13:
            guard let index = open.indices.randomElement(using: &random) else { break }
            let streams = Int.random(in: 1...4, using: &random)
            let id = open[index].id
            let work = pool.limited(id, streams: streams)
            open[index].load.limit = streams
            announced = streams
            said.insert(id)
            for other in open.indices where !said.contains(open[other].id) {
                open[other].load.limit = min(open[other].load.limit, streams)
            }
            apply(work)
        case 14:
            switch pool.prewarm(Int.random(in: 1...6, using: &random), atMost: Int.random(in: 1...6, using: &random)) {
            case .start(let new):
                #expect(!new.isEmpty && !new.contains(where: dials.contains))
                dials += new
            case .wait(let running): #expect(!running.isEmpty && running.allSatisfy(dials.contains))
            case .settled: break
            case .elsewhere, .refuse: Issue.record("the pool is open")
            }
        case 15:
            guard let index = open.indices.randomElement(using: &random) else { break }
            let (id, load) = open.remove(at: index)
            draining.append((id, load.carried))
            apply(pool.retired(id))
        default:
            guard let index = open.indices.randomElement(using: &random) else { break }
            let id = open.remove(at: index).id
            apply(pool.closed(id))
        }
        check()
    }

    /// Ends all dials and requests. All waiting requests must then be served.
    mutating func finish() {
        for _ in 0..<10_000 where !(waiting.isEmpty && dials.isEmpty && places.isEmpty) {
            if let dial = dials.first {
                succeed(dial, 2)
            } else if let place = places.first {
                complete(place.0, place.1)
            }
            check()
        }
        #expect(waiting.isEmpty, "requests were never served")
        #expect(pool.waitingCount == 0)
    }

    private var places: [(TransportConnectionID, RequestID)] {
        open.flatMap { entry in entry.load.carried.sorted().map { (entry.id, $0) } }
            + draining.flatMap { entry in entry.carried.sorted().map { (entry.id, $0) } }
    }

    private mutating func submit() {
        last += 1
        let request = RequestID(last)
        switch pool.acquire(request) {
        case .use(let connection):
            #expect(waiting.isEmpty, "a request overtook another one")
            serve(request, on: connection, isNew: true)
        case .wait(let dial, let closing, _):
            waiting.append(request)
            if let closing { open.removeAll { $0.id == closing } }
            if let dial { dials.append(dial) }
        case .full, .elsewhere, .refuse:
            Issue.record("a request was refused")
        }
        if let dial = pool.grow() {
            #expect(dials.isEmpty, "only one dial at a time is for the load")
            dials.append(dial)
        }
    }

    private mutating func succeed(_ dial: DialID, _ streams: Int) {
        dials.removeAll { $0 == dial }
        lastConnection += 1
        let id = TransportConnectionID(lastConnection)
        let work = pool.dialSucceeded(dial, id, streams: streams)
        open.append((id, Load(limit: min(streams, announced ?? streams))))
        var rest = work
        if let first = rest.serve.first {
            // The dial may have been started for another request than the one that has waited longest.
            #expect(first.connection == id && waiting.contains(first.request))
            serve(first.request, on: id)
            rest.serve.removeFirst()
        }
        apply(rest)
    }

    private mutating func fail(_ dial: DialID) {
        dials.removeAll { $0 == dial }
        guard let work = pool.dialFailed(dial, .unreachable).work else {
            Issue.record("a dial was repeated")
            return
        }
        for request in work.fail { #expect(waiting.contains(request)) }
        waiting.removeAll(where: work.fail.contains)
        apply(work)
    }

    private mutating func complete(_ connection: TransportConnectionID, _ request: RequestID) {
        if let index = draining.firstIndex(where: { $0.id == connection }) {
            draining[index].carried.remove(request)
            let freed = pool.released(connection)
            #expect(freed == .discard)
            return
        }
        guard let index = open.firstIndex(where: { $0.id == connection }) else { return }
        open[index].load.carried.remove(request)
        switch pool.released(connection) {
        case .serve(let next):
            #expect(next == waiting.first, "requests must be served in order")
            serve(next, on: connection)
        case .park, .keep: break
        case .discard: Issue.record("a connection in use was discarded")
        }
    }

    private mutating func apply(_ work: PoolWork) {
        for place in work.serve {
            #expect(place.request == waiting.first, "requests must be served in order")
            serve(place.request, on: place.connection)
        }
        #expect(work.close.isEmpty)
        dials += work.start.map(\.id)
    }

    private mutating func serve(_ request: RequestID, on connection: TransportConnectionID, isNew: Bool = false) {
        waiting.removeAll { $0 == request }
        guard let index = open.firstIndex(where: { $0.id == connection }) else {
            Issue.record("a request was served on a connection that accepts none")
            return
        }
        #expect(open[index].load.hasPlace, "more requests than the server allows")
        if isNew {
            let chosen = open[index].load.fraction
            for older in open[..<index] where older.load.hasPlace {
                #expect(chosen < older.load.fraction, "an older connection has the same or a lower load")
            }
        }
        open[index].load.carried.insert(request)
    }

    private func check() {
        #expect(pool.count == open.count + dials.count)
        #expect(pool.count <= maximum, "too many connections")
        #expect(pool.waitingCount == waiting.count)
        #expect(waiting.isEmpty || !open.contains { $0.load.hasPlace }, "a request waits despite a free place")
        #expect(waiting.isEmpty || !dials.isEmpty || !places.isEmpty, "nothing will serve the waiting requests")
    }
}
