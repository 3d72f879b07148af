/// The sessions that have an SDK now: who uses each one, and which one must end.
///
/// A value without a clock: the caller passes the time in milliseconds of a monotonic clock and carries out the
/// decisions.
struct LiveSessions: Sendable {
    private struct Entry: Sendable {
        /// The number of connections and requests that use the session now.
        var users: Int
        var lastUsed: Int64
    }

    /// What the caller must do to use a session.
    enum Decision: Hashable, Sendable {
        /// The session exists.
        case use
        /// Open the session. End the others first.
        case open(ending: [ChatPageVisitor])
        /// Every session is in use, and the limit is reached.
        case full
    }

    private let limit: Int
    private let idleTime: Int64
    private var entries: [ChatPageVisitor: Entry] = [:]

    /// Creates an empty list.
    ///
    /// - Parameters:
    ///   - limit: The maximum number of sessions. A further one ends the one that was idle for the longest time.
    ///   - idleTime: The time in milliseconds after which an unused session ends.
    init(limit: Int, idleTime: Int64) {
        self.limit = max(1, limit)
        self.idleTime = idleTime
    }

    /// The number of sessions.
    var count: Int { entries.count }

    /// Returns whether a visitor has a session, also one that is being opened.
    func contains(_ visitor: ChatPageVisitor) -> Bool { entries[visitor] != nil }

    /// Begins a use of a visitor's session. Each ``Decision/use`` and ``Decision/open(ending:)`` needs one
    /// ``leave(_:at:)``.
    mutating func enter(_ visitor: ChatPageVisitor, at now: Int64) -> Decision {
        if var entry = entries[visitor] {
            entry.users += 1
            entry.lastUsed = now
            entries[visitor] = entry
            return .use
        }
        var ending: [ChatPageVisitor] = []
        if entries.count >= limit {
            guard let oldest = idle(now, since: .max).first else { return .full }
            entries[oldest] = nil
            ending.append(oldest)
        }
        entries[visitor] = Entry(users: 1, lastUsed: now)
        return .open(ending: ending)
    }

    /// Ends a use of a visitor's session.
    mutating func leave(_ visitor: ChatPageVisitor, at now: Int64) {
        guard var entry = entries[visitor] else { return }
        entry.users = max(0, entry.users - 1)
        entry.lastUsed = now
        entries[visitor] = entry
    }

    /// Removes a session, whether it is used or not: it could not be opened, or the visitor is signed out.
    mutating func remove(_ visitor: ChatPageVisitor) {
        entries[visitor] = nil
    }

    /// Removes and returns the sessions that were idle for too long, the longest first.
    mutating func expire(at now: Int64) -> [ChatPageVisitor] {
        let expired = idle(now, since: now - idleTime)
        for visitor in expired { entries[visitor] = nil }
        return expired
    }

    /// Returns the unused sessions whose last use was at or before a time, the oldest first.
    private func idle(_ now: Int64, since time: Int64) -> [ChatPageVisitor] {
        entries.filter { $0.value.users == 0 && $0.value.lastUsed <= time }
            .sorted { ($0.value.lastUsed, $0.key.id) < ($1.value.lastUsed, $1.key.id) }
            .map(\.key)
    }
}
