/// Which part of the history is asked for. A cursor is the uuid of a message and is not part of what it bounds.
package struct HistoryRequest: Hashable, Sendable {
    package enum Bound: Hashable, Sendable {
        /// The newest messages.
        case newest
        /// The messages right before this one.
        case before(uuid: String)
        /// The messages right after this one, oldest first.
        case after(uuid: String)
    }

    package var bound: Bound
    package var count: Int64

    package init(_ bound: Bound, count: Int64) {
        self.bound = bound
        self.count = count
    }
}
