import NIOCore
import OrderedCollections

/// How long a request waits for a connection.
struct Patience: Hashable, Sendable {
    /// How long the request waits while no dial for it is in progress.
    var idle: TimeAmount
    /// When its total time is up.
    var total: NIODeadline?
    /// Whether it waits for the network to come back.
    var waitsForConnectivity = false

    /// When to look whether a request has waited for too long that begins to wait now.
    func due(from now: NIODeadline) -> NIODeadline { min(total ?? .distantFuture, now + idle) }
}

/// The requests without a connection, the oldest first, and the time for which their timer is armed, as a value.
///
/// All requests share one timer, which is armed anew only for an earlier time: a timer for each request would wake an event loop twice.
struct WaitingRequests: Sendable {
    private struct Entry {
        var patience = Patience(idle: .zero)
        /// When to look whether the request has waited for too long.
        var due = NIODeadline.distantFuture
        /// How often the network was found to be absent.
        var postponements = 0
    }

    /// What is found out about a request that is due.
    enum Finding: Hashable, Sendable {
        case waits
        case totalTimeIsUp
        case hasWaitedTooLong
    }

    private var entries: OrderedDictionary<RequestID, Entry> = [:]
    /// When the timer fires.
    private(set) var timer = NIODeadline.distantFuture

    var count: Int { entries.count }

    /// The requests, the oldest first.
    var requests: OrderedSet<RequestID> { entries.keys }

    /// The request that has waited longest.
    var first: RequestID? { entries.keys.first }

    func contains(_ request: RequestID) -> Bool { entries[request] != nil }

    /// How many requests have waited longer.
    func index(of request: RequestID) -> Int? { entries.index(forKey: request) }

    /// The requests that have waited longest.
    func prefix(_ count: Int) -> [RequestID] { Array(entries.keys.prefix(count)) }

    mutating func append(_ request: RequestID) {
        entries[request] = Entry()
    }

    /// Forgets a request. Returns whether it was there.
    @discardableResult
    mutating func remove(_ request: RequestID) -> Bool { entries.removeValue(forKey: request) != nil }

    /// Forgets all requests, and returns them.
    mutating func removeAll() -> [RequestID] {
        defer { entries = [:] }
        return Array(entries.keys)
    }

    /// A request begins to wait. Returns for when to arm the timer, if it has to fire earlier than now known.
    mutating func begin(_ request: RequestID, _ patience: Patience, at now: NIODeadline) -> NIODeadline? {
        let due = patience.due(from: now)
        entries[request]?.patience = patience
        entries[request]?.due = due
        guard due < timer else { return nil }
        timer = due
        return due
    }

    /// The network is absent. Returns for how long to wait, if the request waits for the network.
    mutating func postpone(_ request: RequestID) -> TimeAmount? {
        guard let entry = entries[request], entry.patience.waitsForConnectivity else { return nil }
        entries[request]?.postponements += 1
        // Half a second, doubled each time up to eight.
        return .milliseconds(500 << Int64(min(entry.postponements, 4)))
    }

    /// The requests to look at now.
    func due(at now: NIODeadline) -> [RequestID] { entries.filter { $0.value.due <= now }.map(\.key) }

    /// Finds out whether a request that is due waits on, and until when.
    mutating func look(at request: RequestID, isDialling: Bool, now: NIODeadline) -> Finding {
        guard let patience = entries[request]?.patience else { return .waits }
        if let total = patience.total, total <= now { return .totalTimeIsUp }
        if isDialling {
            // A dial for this request has time-outs of its own, and they name the phase.
            entries[request]?.due = patience.due(from: now)
        } else if patience.waitsForConnectivity, let total = patience.total {
            entries[request]?.due = total
        } else {
            return .hasWaitedTooLong
        }
        return .waits
    }

    /// The timer has fired. Returns for when to arm it again; `nil`: no request waits.
    mutating func rearm() -> NIODeadline? {
        timer = entries.values.lazy.map(\.due).min() ?? .distantFuture
        return timer < .distantFuture ? timer : nil
    }
}
