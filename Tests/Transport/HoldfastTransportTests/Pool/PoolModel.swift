import Testing

@testable import HoldfastTransport

/// A model of the pool as seen from outside, with the rules that must hold. It was written without reading the
/// machine.
struct PoolModel {
    let limit: Int
    let queue: Int
    var idle: [TransportConnectionID] = []
    var busy: Set<TransportConnectionID> = []
    var dials: [DialID: RequestID] = [:]
    var waiting: [RequestID] = []
    /// Dials that wait for the network or for a permit.
    var postponed: Set<DialID> = []
    /// Waiting requests that lost a connection. Only a dial may serve them.
    private var losers: Set<RequestID> = []
    private var served: Set<RequestID> = []

    init(limit: Int, queue: Int) {
        self.limit = limit
        self.queue = queue
    }

    /// Dials in progress.
    var dialling: [DialID] { dials.keys.filter { !postponed.contains($0) }.sorted() }

    var open: Set<TransportConnectionID> { busy.union(idle) }

    mutating func acquired(_ request: RequestID, _ outcome: PoolMachine.Acquired, fresh: Bool) {
        switch outcome {
        case .use(let connection):
            #expect(!fresh)
            #expect(idle.last == connection, "the connection used last must be reused first")
            idle.removeAll { $0 == connection }
            lend(connection, to: request)
        case .wait(let dial, let closing, _):
            #expect(fresh || idle.isEmpty, "a request waits although a connection is idle")
            #expect(fresh || waiting.count < queue, "the queue exceeds its limit")
            waiting.append(request)
            if fresh { losers.insert(request) }
            if let closing {
                #expect(idle.first == closing)
                idle.removeFirst()
            }
            if let dial { started(dial, for: request) }
        case .full:
            #expect(!fresh && waiting.count >= queue, "a request was refused although the queue has space")
        case .refuse, .elsewhere:
            Issue.record("a request was refused before the shutdown")
        }
    }

    mutating func dialSucceeded(_ dial: DialID, _ connection: TransportConnectionID, _ work: PoolWork) {
        let requester = dials.removeValue(forKey: dial)
        let preferred = requester.flatMap { waiting.contains($0) ? $0 : nil }
        #expect(work.fail.isEmpty && work.close.isEmpty, "a successful dial must not fail a request")
        #expect(work.serve.count + (work.park == nil ? 0 : 1) == 1, "a dial serves at most one request")
        if let place = work.serve.first {
            #expect(place.connection == connection)
            freed(connection, .serve(place.request), expected: preferred ?? waiting.first)
        } else {
            #expect(work.park == connection)
            #expect(waiting.isEmpty, "a request waits although a connection is new")
            freed(connection, .park, expected: nil)
        }
        started(work)
    }

    mutating func dialFailed(_ dial: DialID, _ work: PoolWork, all: Bool) {
        let requester = dials.removeValue(forKey: dial)
        if all {
            #expect(work.fail == waiting)
        } else {
            #expect(work.fail == waiting.filter { $0 == requester })
        }
        #expect(work.serve.isEmpty)
        waiting.removeAll(where: work.fail.contains)
        started(work)
    }

    /// `yields`: a request to another host waits for a connection.
    mutating func released(_ connection: TransportConnectionID, _ outcome: PoolMachine.Freed, yields: Bool) {
        #expect(busy.remove(connection) != nil)
        let expected = waiting.first { !losers.contains($0) }
        // Dials for requests that no longer wait serve the first one.
        let served = waiting.first.map { first in
            dialling.contains { dials[$0] == first || !waiting.contains(dials[$0] ?? first) }
        }
        let makesRoom =
            waiting.first.map(losers.contains) == true
            && (served == false || (expected == nil && dials.count < waiting.count))
        if outcome == .discard {
            #expect(makesRoom || (yields && expected == nil), "only an unneeded connection may be closed")
            return
        }
        #expect(!makesRoom, "a request that lost a connection needs a dial")
        #expect(!yields || outcome != .park, "an unneeded connection must be closed")
        freed(connection, outcome, expected: expected)
    }

    mutating func closed(_ connection: TransportConnectionID, _ work: PoolWork) {
        busy.remove(connection)
        idle.removeAll { $0 == connection }
        #expect(work.serve.isEmpty && work.fail.isEmpty)
        started(work)
    }

    mutating func expired(_ connection: TransportConnectionID, _ closes: Bool) {
        #expect(closes == idle.contains(connection), "only idle connections may expire")
        idle.removeAll { $0 == connection }
    }

    mutating func withdrawn(_ request: RequestID) {
        waiting.removeAll { $0 == request }
    }

    mutating func resumed(_ dial: DialID, for request: RequestID?) {
        postponed.remove(dial)
        dials[dial] = nil
        let others = Set(dials.values)
        if let request {
            #expect(waiting.contains(request) && !others.contains(request), "a dial must be for a waiting request")
            dials[dial] = request
        } else {
            #expect(waiting.allSatisfy(others.contains), "a needed dial must not be abandoned")
        }
    }

    mutating func evicted(_ connection: TransportConnectionID?) {
        #expect(connection == idle.first, "the longest idle connection must be closed")
        if connection != nil { idle.removeFirst() }
    }

    func check(_ pool: PoolMachine) {
        #expect(open.count + dials.count <= limit, "too many connections")
        #expect(pool.count == open.count + dials.count, "the pool's count differs from the model's")
        #expect(pool.isDialling == (dials.count > postponed.count))
        for request in waiting { #expect(pool.isWaiting(request)) }
        // A request is never forgotten: a dial is in progress, or all connections are in use.
        if !waiting.isEmpty, dials.count < waiting.count, open.count + dials.count < limit, idle.isEmpty {
            // The dial of a cancelled request serves the next request, so there may be fewer dials than requests.
            #expect(!dials.isEmpty || busy.count == limit, "a request waits although a connection is allowed")
        }
    }

    private mutating func freed(
        _ connection: TransportConnectionID, _ outcome: PoolMachine.Freed, expected: RequestID?
    ) {
        switch outcome {
        case .serve(let request):
            #expect(request == expected, "the request that waited longest must be served")
            waiting.removeAll { $0 == request }
            lend(connection, to: request)
        case .park:
            #expect(expected == nil, "a request waits although a connection is idle")
            idle.append(connection)
        case .keep:
            Issue.record("a connection must carry one request at a time")
        case .discard:
            Issue.record("a connection was discarded before the shutdown")
        }
    }

    private mutating func lend(_ connection: TransportConnectionID, to request: RequestID) {
        #expect(busy.insert(connection).inserted, "a connection was assigned twice")
        #expect(served.insert(request).inserted, "a request was served twice")
    }

    private mutating func started(_ work: PoolWork) {
        for dial in work.start { started(dial.id, for: dial.request) }
    }

    private mutating func started(_ dial: DialID, for request: RequestID) {
        #expect(dials[dial] == nil)
        #expect(waiting.contains(request))
        dials[dial] = request
    }
}
