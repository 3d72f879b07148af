/// The sessions that have an SDK now: who uses each one, and which one must end.
///
/// A value without a clock: the caller passes the time in milliseconds of a monotonic clock and carries out the
/// decisions.
struct LiveSessions: Sendable {
    /// A use of a visitor's session. Each ``Decision/use(_:)`` and ``Decision/open(_:ending:)`` needs one
    /// ``leave(_:at:)``.
    struct Use: Hashable, Sendable {
        /// The visitor.
        let visitor: ChatPageVisitor
        /// The number of the session. A visitor's next session has another one.
        fileprivate let session: UInt64
    }

    private struct Entry: Sendable {
        /// The number of the session.
        let session: UInt64
        /// The number of connections and requests that use the session now.
        var users: Int
        var lastUsed: Int64
    }

    /// What the caller must do to use a session.
    enum Decision: Hashable, Sendable {
        /// The session exists.
        case use(Use)
        /// Open the session. End the others first.
        case open(Use, ending: [ChatPageVisitor])
        /// Every session is in use, and the limit is reached.
        case full
    }

    private let limit: Int
    private let idleTime: Int64
    private var entries: [ChatPageVisitor: Entry] = [:]
    private var lastSession: UInt64 = 0

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

    /// Returns whether the session of a use still exists, or is being opened.
    func contains(_ use: Use) -> Bool { entries[use.visitor]?.session == use.session }

    /// Begins a use of a visitor's session.
    mutating func enter(_ visitor: ChatPageVisitor, at now: Int64) -> Decision {
        if var entry = entries[visitor] {
            entry.users += 1
            entry.lastUsed = now
            entries[visitor] = entry
            return .use(Use(visitor: visitor, session: entry.session))
        }
        var ending: [ChatPageVisitor] = []
        if entries.count >= limit {
            guard let oldest = idle(now, since: .max).first else { return .full }
            entries[oldest] = nil
            ending.append(oldest)
        }
        lastSession += 1
        entries[visitor] = Entry(session: lastSession, users: 1, lastUsed: now)
        return .open(Use(visitor: visitor, session: lastSession), ending: ending)
    }

    /// Ends a use of a visitor's session. The use of a session that was removed does not count for the next one.
    mutating func leave(_ use: Use, at now: Int64) {
        guard contains(use), var entry = entries[use.visitor] else { return }
        entry.users = max(0, entry.users - 1)
        entry.lastUsed = now
        entries[use.visitor] = entry
    }

    /// Removes a session, whether it is used or not: the visitor is signed out, or the server stops.
    mutating func remove(_ visitor: ChatPageVisitor) {
        entries[visitor] = nil
    }

    /// Removes the session of a use, because it could not be opened.
    mutating func remove(_ use: Use) {
        if contains(use) { entries[use.visitor] = nil }
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
