import Testing

@testable import HoldfastTransport

/// What an observer of a pool knows whose connections carry several requests at a time, and what must never happen.
/// Written without looking at the machine.
struct SharedPoolModel {
    struct Load {
        var carried: Set<RequestID> = []
        var limit: Int
        /// Whether the server has said so on this connection.
        var isSaid = false
    }

    let limit: Int
    /// Connections that take requests.
    var open: [TransportConnectionID: Load] = [:]
    /// Those that finish what they carry.
    var retired: [TransportConnectionID: Set<RequestID>] = [:]
    /// Dials under way, with the requests that they are for.
    var dials: [DialID: RequestID] = [:]
    var postponed: Set<DialID> = []
    var waiting: [RequestID] = []
    /// How many requests a connection is expected to carry; `nil`: nobody knows yet.
    var expected: Int?
    /// What the server has last said.
    private var said: Int?
    private var served: Set<RequestID> = []

    init(limit: Int) {
        self.limit = limit
    }

    var dialling: [DialID] { dials.keys.filter { !postponed.contains($0) }.sorted() }

    /// Each connection with something on it, once for each request.
    var places: [(TransportConnectionID, RequestID)] {
        let all = open.mapValues(\.carried).merging(retired) { $1 }
        return all.keys.sorted().flatMap { id in (all[id] ?? []).sorted().map { (id, $0) } }
    }

    mutating func acquired(_ request: RequestID, _ outcome: PoolMachine.Acquired, fresh: Bool) {
        switch outcome {
        case .use(let connection):
            if fresh {
                #expect(
                    dialling.isEmpty && open.count + dials.count == limit, "a fresh connection where there can be one")
            }
            serve(request, on: connection)
        case .wait(let dial, let closing, _):
            if !fresh {
                #expect(open.values.allSatisfy { $0.carried.count >= $0.limit }, "nobody waits while there is a place")
            }
            waiting.append(request)
            if let closing {
                #expect(open[closing]?.carried.isEmpty == true, "only what carries nothing makes room")
                open[closing] = nil
            }
            started(dial.map { [PoolWork.Dial(id: $0, request: request)] } ?? [])
        case .full, .elsewhere, .refuse:
            Issue.record("the queue has no end here, nor was there a shut-down")
        }
    }

    /// A dial has brought a connection. What it carries comes first, then the dials, then places on others.
    mutating func dialSucceeded(_ dial: DialID, _ connection: TransportConnectionID, streams: Int, _ work: PoolWork) {
        #expect(dials.removeValue(forKey: dial) != nil)
        postponed.remove(dial)
        expected = said ?? streams
        open[connection] = Load(limit: min(streams, said ?? streams))
        #expect(work.fail.isEmpty && work.close.isEmpty, "a fresh connection serves, or is idle")
        if let first = work.serve.first {
            #expect(first.connection == connection && work.park == nil)
            serve(first.request, on: connection)
        } else {
            #expect(work.park == connection)
            #expect(waiting.isEmpty, "nobody waits while there is a place")
        }
        let own = work.serve.dropFirst().prefix { $0.connection == connection }
        filled(connection, own.map(\.request))
        started(work.start)
        placed(work.serve.dropFirst(1 + own.count))
    }

    mutating func filled(_ connection: TransportConnectionID, _ requests: [RequestID]) {
        #expect(requests == Array(waiting.prefix(requests.count)), "who has waited longest is served first")
        for request in requests { serve(request, on: connection) }
        if let load = open[connection] {
            #expect(waiting.isEmpty || load.carried.count >= load.limit, "nobody waits while there is a place")
        }
    }

    /// Those that wait for nothing get the places that there are.
    mutating func placed(_ places: some Sequence<PoolWork.Place>) {
        for place in places {
            #expect(dialling.isEmpty, "a connection is on its way")
            #expect(place.request == waiting.first, "who has waited longest is served first")
            serve(place.request, on: place.connection)
        }
        if dialling.isEmpty { #expect(waiting.isEmpty || !hasPlace, "nobody waits while there is a place") }
    }

    mutating func resumed(_ dial: DialID, for requester: RequestID?) {
        #expect(postponed.remove(dial) != nil)
        if let requester {
            #expect(waiting.contains(requester), "a dial is for someone who waits")
            dials[dial] = requester
        } else {
            dials[dial] = nil
            #expect(waiting.isEmpty || !dials.isEmpty, "a dial is given up only when nobody needs it")
        }
    }

    mutating func dialFailed(_ dial: DialID, _ work: PoolWork) {
        let fail = work.fail
        let requester = dials.removeValue(forKey: dial)
        #expect(requester != nil)
        postponed.remove(dial)
        #expect(fail.allSatisfy(waiting.contains))
        if let requester, waiting.contains(requester) { #expect(fail.contains(requester)) }
        if !open.isEmpty || !dialling.isEmpty {
            #expect(fail.count <= 1, "others can still be served")
        }
        waiting.removeAll(where: fail.contains)
        #expect(work.serve.isEmpty)
        started(work.start)
    }

    /// `yields`: a request to another host waits for a connection.
    mutating func released(
        _ connection: TransportConnectionID, _ request: RequestID, _ outcome: PoolMachine.Freed, yields: Bool
    ) {
        open[connection]?.carried.remove(request)
        guard let load = open[connection] else {
            retired[connection]?.remove(request)
            #expect(outcome == .discard, "a retired connection gets nothing more")
            return
        }
        switch outcome {
        case .serve(let next):
            #expect(next == waiting.first)
            serve(next, on: connection)
        case .park: #expect(!yields && load.carried.isEmpty && (waiting.isEmpty || load.limit == 0))
        case .keep: #expect(!load.carried.isEmpty && (waiting.isEmpty || load.carried.count >= load.limit))
        case .discard:
            #expect(yields && load.carried.isEmpty, "only what carries nothing makes room")
            open[connection] = nil
        }
    }

    mutating func limited(_ connection: TransportConnectionID, streams: Int) {
        open[connection]?.limit = streams
        open[connection]?.isSaid = true
        // Where it takes none for a while, it is asked elsewhere with one request.
        said = max(1, streams)
        expected = said
        for (other, load) in open where !load.isSaid { open[other]?.limit = min(load.limit, max(1, streams)) }
    }

    mutating func retire(_ connection: TransportConnectionID) {
        retired[connection] = open.removeValue(forKey: connection)?.carried
    }

    mutating func started(_ new: [PoolWork.Dial]) {
        for dial in new {
            #expect(waiting.contains(dial.request), "a dial is for someone who waits")
            #expect(dials.updateValue(dial.request, forKey: dial.id) == nil)
        }
        guard !new.isEmpty else { return }
        let enough = expected.map { (waiting.count + $0 - 1) / $0 } ?? 1
        #expect(dialling.count <= enough, "no more dials than those who wait can fill")
    }

    func check(_ pool: PoolMachine) {
        #expect(open.count + dials.count <= limit, "never more than allowed")
        #expect(pool.count == open.count + dials.count, "nothing is lost and nothing invented")
        for request in waiting { #expect(pool.isWaiting(request)) }
        // Somebody works for those who wait: a dial, or a connection that carries something.
        let hasHope = !dials.isEmpty || open.values.contains { !$0.carried.isEmpty } || open.count == limit
        #expect(waiting.isEmpty || hasHope, "requests wait for nothing")
        #expect(waiting.isEmpty || !dials.isEmpty || !hasPlace, "nobody waits while there is a place")
    }

    private var hasPlace: Bool { open.values.contains { $0.carried.count < $0.limit } }

    private mutating func serve(_ request: RequestID, on connection: TransportConnectionID) {
        #expect(served.insert(request).inserted, "a request is served once")
        waiting.removeAll { $0 == request }
        guard let load = open[connection] else {
            Issue.record("a request is served on a connection that takes some")
            return
        }
        #expect(load.carried.count < load.limit, "never more than the server allows")
        open[connection]?.carried.insert(request)
    }
}
