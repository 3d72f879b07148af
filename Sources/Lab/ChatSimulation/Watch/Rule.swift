/// The rules of the simulation. docs/internals/simulation.md describes them in detail.
package enum Rule: String, Hashable, Sendable, CaseIterable {
    /// A message that `send` acknowledged is in the store, reaches the server, or is reported as failed.
    case nothingLost
    /// No message is on the server, in a store or on a screen twice, or reported as new twice.
    case nothingTwice
    /// Messages that are ready reach the server in the order of `send`.
    case inOrder
    /// A ready message is sent as soon as no other message has an unknown outcome.
    case queueMoves
    /// A message is looked up if its reply is overdue, that is soon after a later ping was answered.
    case overdueAnswer
    /// A message of unknown outcome is not sent again before the history was requested.
    case lookUpFirst
    /// A message without a reply fails within the time of its timeout mode.
    case failsInTime
    /// The state of a message never goes back. Reported and published states agree with the core.
    case fateIsTold
    /// There is at most one live socket, and no frame is sent on another one.
    case oneSocket
    /// In the background no timer runs and no socket is open. A timer that fires has an effect.
    case quietTimer
    /// The server's messages reach the client without a gap and in the server's order.
    case complete
    /// A core that is restored from the store shows the same as the core before.
    case storeAgrees
    /// The unread count is the number of unread messages.
    case unreadCount
    /// Data of one user is never used for another user, and no data of a user remains after a logout.
    case usersApart
    /// A logout is reported to the server, or stays stored until it is.
    case farewell
    /// Every request of the app has exactly one answer, which is correct.
    case oneAnswer
    /// A message is sent after its files were uploaded. A file is kept while the store names it.
    case filesFirst
    /// All upload attempts of a file together take no longer than `uploadTimeout`.
    case uploadsInTime
    /// Encoding and decoding changes no value.
    case codec
    /// The world comes to rest, and all screens are up to date.
    case rest
}

/// A violation of a rule.
package struct Complaint: Hashable, Sendable {
    package var rule: Rule
    /// Milliseconds since the start of the run.
    package var time: Int64
    package var text: String
}
