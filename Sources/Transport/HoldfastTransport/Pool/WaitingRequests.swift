import NIOCore
import OrderedCollections

/// The time that a request waits for a connection.
struct Patience: Hashable, Sendable {
    /// The maximum wait while no dial for the request is in progress.
    var idle: TimeAmount
    /// The total deadline of the request.
    var total: NIODeadline?
    /// Whether the request waits for connectivity.
    var waitsForConnectivity = false

    /// Returns the time at which to check a request that starts to wait now.
    func due(from now: NIODeadline) -> NIODeadline { min(total ?? .distantFuture, now + idle) }
}

/// The requests without a connection, oldest first, and the time of their timer.
///
/// All requests share one timer, which is reset only for an earlier time. A timer per request would wake an event loop
/// twice for each.
struct WaitingRequests: Sendable {
    private struct Entry {
        var patience = Patience(idle: .zero)
        /// The time at which to check the request.
        var due = NIODeadline.distantFuture
        /// The number of attempts that found no network.
        var postponements = 0
        /// Whether the request waits for a new connection.
        var needsNew = false
    }

    /// The result of checking a request.
    enum Finding: Hashable, Sendable {
        case waits
        case totalTimeIsUp
        case hasWaitedTooLong
    }

    private var entries: OrderedDictionary<RequestID, Entry> = [:]
    /// The time at which the timer fires.
    private(set) var timer = NIODeadline.distantFuture

    var count: Int { entries.count }

    /// The requests, oldest first.
    var requests: OrderedSet<RequestID> { entries.keys }

    /// The request that has waited longest.
    var first: RequestID? { entries.keys.first }

    /// The request that has waited longest and may use a connection that served others.
    var firstToReuse: RequestID? { entries.first { !$0.value.needsNew }?.key }

    func contains(_ request: RequestID) -> Bool { entries[request] != nil }

    /// Returns the number of requests that have waited longer.
    func index(of request: RequestID) -> Int? { entries.index(forKey: request) }

    /// Returns the requests that have waited longest.
    func prefix(_ count: Int) -> [RequestID] { Array(entries.keys.prefix(count)) }

    mutating func append(_ request: RequestID, needsNew: Bool = false) {
        entries[request] = Entry(needsNew: needsNew)
    }

    func needsNew(_ request: RequestID) -> Bool { entries[request]?.needsNew ?? false }

    /// Removes a request. Returns whether it was waiting.
    @discardableResult
    mutating func remove(_ request: RequestID) -> Bool { entries.removeValue(forKey: request) != nil }

    /// Removes and returns all requests.
    mutating func removeAll() -> [RequestID] {
        defer { entries = [:] }
        return Array(entries.keys)
    }

    /// Records the start of a request's wait. Returns the new time of the timer if it must fire earlier.
    mutating func begin(_ request: RequestID, _ patience: Patience, at now: NIODeadline) -> NIODeadline? {
        let due = patience.due(from: now)
        entries[request]?.patience = patience
        entries[request]?.due = due
        guard due < timer else { return nil }
        timer = due
        return due
    }

    /// Processes a missing network. Returns the delay before a retry if the request waits for connectivity.
    mutating func postpone(_ request: RequestID) -> TimeAmount? {
        guard let entry = entries[request], entry.patience.waitsForConnectivity else { return nil }
        entries[request]?.postponements += 1
        // Half a second, doubled each time up to eight seconds.
        return .milliseconds(500 << Int64(min(entry.postponements, 4)))
    }

    /// Returns the requests to check now.
    func due(at now: NIODeadline) -> [RequestID] { entries.filter { $0.value.due <= now }.map(\.key) }

    /// Checks whether a request continues to wait, and until when.
    mutating func look(at request: RequestID, isDialling: Bool, now: NIODeadline) -> Finding {
        guard let patience = entries[request]?.patience else { return .waits }
        if let total = patience.total, total <= now { return .totalTimeIsUp }
        if isDialling {
            // A dial for this request has its own timeouts, which report the phase.
            entries[request]?.due = patience.due(from: now)
        } else if patience.waitsForConnectivity, let total = patience.total {
            entries[request]?.due = total
        } else {
            return .hasWaitedTooLong
        }
        return .waits
    }

    /// Resets the timer after it fired. Returns its next time; `nil` if no request waits.
    mutating func rearm() -> NIODeadline? {
        timer = entries.values.lazy.map(\.due).min() ?? .distantFuture
        return timer < .distantFuture ? timer : nil
    }
}
