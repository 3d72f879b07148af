import Testing

@testable import HoldfastTransport

/// A model of a pool whose connections carry several requests, as seen from outside, with the rules that must hold. It
/// was written without reading the machine.
struct SharedPoolModel {
    struct Load {
        var carried: Set<RequestID> = []
        var limit: Int
        /// Whether the server announced the limit on this connection.
        var isSaid = false
    }

    let limit: Int
    /// Connections that accept requests.
    var open: [TransportConnectionID: Load] = [:]
    /// Connections that only finish their requests.
    var retired: [TransportConnectionID: Set<RequestID>] = [:]
    /// Dials in progress, with the requests that they are for.
    var dials: [DialID: RequestID] = [:]
    var postponed: Set<DialID> = []
    var waiting: [RequestID] = []
    /// The expected number of requests of a connection, or `nil` if it is unknown.
    var expected: Int?
    /// The limit that the server announced last.
    private var said: Int?
    private var served: Set<RequestID> = []

    init(limit: Int) {
        self.limit = limit
    }

    var dialling: [DialID] { dials.keys.filter { !postponed.contains($0) }.sorted() }

    /// Each connection with requests, once for each request.
    var places: [(TransportConnectionID, RequestID)] {
        let all = open.mapValues(\.carried).merging(retired) { $1 }
        return all.keys.sorted().flatMap { id in (all[id] ?? []).sorted().map { (id, $0) } }
    }

    mutating func acquired(_ request: RequestID, _ outcome: PoolMachine.Acquired, fresh: Bool) {
        switch outcome {
        case .use(let connection):
            if fresh {
                #expect(
                    dialling.isEmpty && open.count + dials.count == limit, "an allowed dial must be started")
            }
            serve(request, on: connection)
        case .wait(let dial, let closing, _):
            if !fresh {
                #expect(open.values.allSatisfy { $0.carried.count >= $0.limit }, "a request waits despite a free place")
            }
            waiting.append(request)
            if let closing {
                #expect(open[closing]?.carried.isEmpty == true, "only a connection without requests may be closed")
                open[closing] = nil
            }
            started(dial.map { [PoolWork.Dial(id: $0, request: request)] } ?? [])
        case .full, .elsewhere, .refuse:
            Issue.record("a request was refused")
        }
    }

    /// A dial succeeded. The requests on the new connection come first, then dials, then places on other connections.
    mutating func dialSucceeded(_ dial: DialID, _ connection: TransportConnectionID, streams: Int, _ work: PoolWork) {
        #expect(dials.removeValue(forKey: dial) != nil)
        postponed.remove(dial)
        expected = said ?? streams
        open[connection] = Load(limit: min(streams, said ?? streams))
        #expect(work.fail.isEmpty && work.close.isEmpty, "a new connection must serve requests or be idle")
        if let first = work.serve.first {
            #expect(first.connection == connection && work.park == nil)
            serve(first.request, on: connection)
        } else {
            #expect(work.park == connection)
            #expect(waiting.isEmpty, "a request waits despite a free place")
        }
        let own = work.serve.dropFirst().prefix { $0.connection == connection }
        filled(connection, own.map(\.request))
        started(work.start)
        placed(work.serve.dropFirst(1 + own.count))
    }

    mutating func filled(_ connection: TransportConnectionID, _ requests: [RequestID]) {
        #expect(requests == Array(waiting.prefix(requests.count)), "requests must be served in order")
        for request in requests { serve(request, on: connection) }
        if let load = open[connection] {
            #expect(waiting.isEmpty || load.carried.count >= load.limit, "a request waits despite a free place")
        }
    }

    /// Requests that wait for no dial get the free places.
    mutating func placed(_ places: some Sequence<PoolWork.Place>) {
        for place in places {
            #expect(dialling.isEmpty, "a dial is in progress")
            #expect(place.request == waiting.first, "requests must be served in order")
            serve(place.request, on: place.connection)
        }
        if dialling.isEmpty { #expect(waiting.isEmpty || !hasPlace, "a request waits despite a free place") }
    }

    mutating func resumed(_ dial: DialID, for requester: RequestID?) {
        #expect(postponed.remove(dial) != nil)
        if let requester {
            #expect(waiting.contains(requester), "a dial must be for a waiting request")
            dials[dial] = requester
        } else {
            dials[dial] = nil
            #expect(waiting.isEmpty || !dials.isEmpty, "a needed dial must not be abandoned")
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
            #expect(fail.count <= 1, "only one request may fail")
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
            #expect(outcome == .discard, "a retired connection must be discarded")
            return
        }
        switch outcome {
        case .serve(let next):
            #expect(next == waiting.first)
            serve(next, on: connection)
        case .park: #expect(!yields && load.carried.isEmpty && (waiting.isEmpty || load.limit == 0))
        case .keep: #expect(!load.carried.isEmpty && (waiting.isEmpty || load.carried.count >= load.limit))
        case .discard:
            #expect(yields && load.carried.isEmpty, "only a connection without requests may be closed")
            open[connection] = nil
        }
    }

    mutating func limited(_ connection: TransportConnectionID, streams: Int) {
        open[connection]?.limit = streams
        open[connection]?.isSaid = true
        // If the server temporarily allows no requests, one request is sent on a new connection.
        said = max(1, streams)
        expected = said
        for (other, load) in open where !load.isSaid { open[other]?.limit = min(load.limit, max(1, streams)) }
    }

    mutating func retire(_ connection: TransportConnectionID) {
        retired[connection] = open.removeValue(forKey: connection)?.carried
    }

    mutating func started(_ new: [PoolWork.Dial]) {
        for dial in new {
            #expect(waiting.contains(dial.request), "a dial must be for a waiting request")
            #expect(dials.updateValue(dial.request, forKey: dial.id) == nil)
        }
        guard !new.isEmpty else { return }
        let enough = expected.map { (waiting.count + $0 - 1) / $0 } ?? 1
        #expect(dialling.count <= enough, "more dials than the waiting requests need")
    }

    func check(_ pool: PoolMachine) {
        #expect(open.count + dials.count <= limit, "too many connections")
        #expect(pool.count == open.count + dials.count, "the pool's count differs from the model's")
        for request in waiting { #expect(pool.isWaiting(request)) }
        // A dial or a connection with requests is in progress for the waiting requests.
        let hasHope = !dials.isEmpty || open.values.contains { !$0.carried.isEmpty } || open.count == limit
        #expect(waiting.isEmpty || hasHope, "requests wait without a dial or a busy connection")
        #expect(waiting.isEmpty || !dials.isEmpty || !hasPlace, "a request waits despite a free place")
    }

    private var hasPlace: Bool { open.values.contains { $0.carried.count < $0.limit } }

    private mutating func serve(_ request: RequestID, on connection: TransportConnectionID) {
        #expect(served.insert(request).inserted, "a request was served twice")
        waiting.removeAll { $0 == request }
        guard let load = open[connection] else {
            Issue.record("a request was served on a connection that accepts none")
            return
        }
        #expect(load.carried.count < load.limit, "more requests than the server allows")
        open[connection]?.carried.insert(request)
    }
}
