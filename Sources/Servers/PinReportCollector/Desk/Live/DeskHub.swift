import Synchronization

/// The pages that follow changes. A seat has a bounded buffer: a slow page misses versions, but never the newest one.
final class DeskHub: Sendable {
    /// A page's place.
    struct Seat: Sendable {
        fileprivate let id: Int
        /// The versions of everything that pages show. A page with another version loads its contents again.
        let versions: AsyncStream<UInt64>
    }

    /// The maximum number of seats. A further page receives the event `full` and tries again after 30 seconds.
    static let limit = 64
    /// The maximum number of seats of one session. A further page receives the event `full` and tries again after 30
    /// seconds.
    static let sessionLimit = 8
    /// The maximum number of versions that wait for a seat. Older ones are replaced.
    private static let bufferLimit = 4

    private struct Follower {
        let session: Int
        let continuation: AsyncStream<UInt64>.Continuation
    }

    private struct State {
        var followers: [Int: Follower] = [:]
        var nextID = 0
        var version: UInt64
        var isClosed = false
    }

    private let state: Mutex<State>

    /// Creates a hub. After a restart, the first version must differ from those that pages have.
    init(firstVersion: UInt64) {
        state = Mutex(State(version: firstVersion))
    }

    /// The current version.
    var version: UInt64 { state.withLock { $0.version } }

    /// The number of pages that follow.
    var count: Int { state.withLock { $0.followers.count } }

    /// Adds a page of a session; `nil` if there are too many, or the server is stopping. The first element
    /// is the current version.
    func follow(_ session: Int) -> Seat? {
        state.withLock { state in
            let own = state.followers.values.count { $0.session == session }
            guard !state.isClosed, state.followers.count < Self.limit, own < Self.sessionLimit else { return nil }
            let (versions, continuation) = AsyncStream.makeStream(
                of: UInt64.self, bufferingPolicy: .bufferingNewest(Self.bufferLimit))
            let id = state.nextID
            state.nextID += 1
            state.followers[id] = Follower(session: session, continuation: continuation)
            continuation.yield(state.version)
            return Seat(id: id, versions: versions)
        }
    }

    /// Removes a page.
    func leave(_ seat: Seat) {
        let follower = state.withLock { $0.followers.removeValue(forKey: seat.id) }
        follower?.continuation.finish()
    }

    /// Ends the pages of a session.
    func end(_ session: Int) {
        remove { $0.session == session }
    }

    /// Ends all pages. Later ones are refused.
    func close() {
        state.withLock { $0.isClosed = true }
        remove { _ in true }
    }

    /// Tells all pages that something has changed.
    func changed() {
        state.withLock { state in
            state.version &+= 1
            for follower in state.followers.values { follower.continuation.yield(state.version) }
        }
    }

    /// Tells all pages that the connection is alive. Repeats the version, so that a page that missed it catches up.
    func beat() {
        state.withLock { state in
            for follower in state.followers.values { follower.continuation.yield(state.version) }
        }
    }

    private func remove(_ isRemoved: (Follower) -> Bool) {
        let removed = state.withLock { state in
            let removed = state.followers.filter { isRemoved($0.value) }
            for id in removed.keys { state.followers[id] = nil }
            return removed
        }
        for follower in removed.values { follower.continuation.finish() }
    }
}
