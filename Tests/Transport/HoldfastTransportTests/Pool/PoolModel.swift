import Testing

@testable import HoldfastTransport

/// What an observer of a pool knows, and what must never happen. Written without looking at the machine.
struct PoolModel {
    let limit: Int
    let queue: Int
    var idle: [TransportConnectionID] = []
    var busy: Set<TransportConnectionID> = []
    var dials: [DialID: RequestID] = [:]
    var waiting: [RequestID] = []
    /// Dials that wait for the network or for a permit.
    var postponed: Set<DialID> = []
    private var served: Set<RequestID> = []

    init(limit: Int, queue: Int) {
        self.limit = limit
        self.queue = queue
    }

    /// Dials that make progress.
    var dialling: [DialID] { dials.keys.filter { !postponed.contains($0) }.sorted() }

    var open: Set<TransportConnectionID> { busy.union(idle) }

    mutating func acquired(_ request: RequestID, _ outcome: PoolMachine.Acquired, fresh: Bool) {
        switch outcome {
        case .use(let connection):
            #expect(!fresh)
            #expect(idle.last == connection, "the connection used last is used next")
            idle.removeAll { $0 == connection }
            lend(connection, to: request)
        case .wait(let dial, let closing, _):
            #expect(fresh || idle.isEmpty, "nobody waits while a connection is idle")
            #expect(fresh || waiting.count < queue, "the queue has an end")
            waiting.append(request)
            if let closing {
                #expect(idle.first == closing)
                idle.removeFirst()
            }
            if let dial { started(dial, for: request) }
        case .full:
            #expect(!fresh && waiting.count >= queue, "nothing is turned away while there is a place")
        case .refuse, .elsewhere:
            Issue.record("nothing is refused before the shut-down")
        }
    }

    mutating func dialSucceeded(_ dial: DialID, _ connection: TransportConnectionID, _ work: PoolWork) {
        let requester = dials.removeValue(forKey: dial)
        let preferred = requester.flatMap { waiting.contains($0) ? $0 : nil }
        #expect(work.fail.isEmpty && work.close.isEmpty, "nothing fails where a dial succeeds")
        #expect(work.serve.count + (work.park == nil ? 0 : 1) == 1, "it serves one request, or none")
        if let place = work.serve.first {
            #expect(place.connection == connection)
            freed(connection, .serve(place.request), preferred: preferred)
        } else {
            #expect(work.park == connection)
            freed(connection, .park, preferred: preferred)
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
        if yields, outcome == .discard {
            #expect(waiting.isEmpty, "only what nobody waits for makes room")
            return
        }
        #expect(!yields || outcome != .park, "what nobody waits for makes room")
        freed(connection, outcome, preferred: nil)
    }

    mutating func closed(_ connection: TransportConnectionID, _ work: PoolWork) {
        busy.remove(connection)
        idle.removeAll { $0 == connection }
        #expect(work.serve.isEmpty && work.fail.isEmpty)
        started(work)
    }

    mutating func expired(_ connection: TransportConnectionID, _ closes: Bool) {
        #expect(closes == idle.contains(connection), "only idle connections expire")
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
            #expect(waiting.contains(request) && !others.contains(request), "a dial is for someone who waits")
            dials[dial] = request
        } else {
            #expect(waiting.allSatisfy(others.contains), "a dial is given up only when nobody needs it")
        }
    }

    mutating func evicted(_ connection: TransportConnectionID?) {
        #expect(connection == idle.first, "the one that has been idle longest goes")
        if connection != nil { idle.removeFirst() }
    }

    func check(_ pool: PoolMachine) {
        #expect(open.count + dials.count <= limit, "never more than allowed")
        #expect(pool.count == open.count + dials.count, "nothing is lost and nothing invented")
        #expect(pool.isDialling == (dials.count > postponed.count))
        for request in waiting { #expect(pool.isWaiting(request)) }
        // A request is never forgotten: there is a dial under way, or all connections are in use.
        if !waiting.isEmpty, dials.count < waiting.count, open.count + dials.count < limit, idle.isEmpty {
            // A withdrawn request's dial serves the next one, so that dials may be fewer only while there are some.
            #expect(!dials.isEmpty || busy.count == limit, "a request waits while there is room")
        }
    }

    private mutating func freed(
        _ connection: TransportConnectionID, _ outcome: PoolMachine.Freed, preferred: RequestID?
    ) {
        switch outcome {
        case .serve(let request):
            #expect(request == preferred ?? waiting.first, "the one that has waited longest is served")
            waiting.removeAll { $0 == request }
            lend(connection, to: request)
        case .park:
            #expect(waiting.isEmpty, "nobody waits while a connection is idle")
            idle.append(connection)
        case .keep:
            Issue.record("it carries one request at a time")
        case .discard:
            Issue.record("nothing is discarded before the shut-down")
        }
    }

    private mutating func lend(_ connection: TransportConnectionID, to request: RequestID) {
        #expect(busy.insert(connection).inserted, "a connection is lent once")
        #expect(served.insert(request).inserted, "a request is served once")
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
