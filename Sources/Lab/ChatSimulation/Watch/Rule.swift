/// What must always hold. docs/internals/simulation.md describes each rule in full.
package enum Rule: String, Hashable, Sendable, CaseIterable {
    /// What `send` acknowledged is in the store, on the server, or says that it failed.
    case nothingLost
    /// No message is on the server, in a store or on a screen twice, and none is told as new twice.
    case nothingTwice
    /// Messages that are ready reach the server in the order of `send`.
    case inOrder
    /// A ready message is sent as soon as no other message has an unknown outcome.
    case queueMoves
    /// A message is looked up soon after a later ping was answered.
    case overdueAnswer
    /// A message of which the outcome is unknown is not sent again before the history was asked.
    case lookUpFirst
    /// A message without an answer fails no later than its mode allows.
    case failsInTime
    /// What became of a message never goes back. What is told and shown is what there is.
    case fateIsTold
    /// There is at most one live socket, and nothing is written on another.
    case oneSocket
    /// There is no timer and no socket in the background, and a timer that has come brings something on.
    case quietTimer
    /// What the server has reaches the client, without a hole and in the server's order.
    case complete
    /// A core that is made from the store shows what the one before showed.
    case storeAgrees
    /// The unread count is that of the messages that nobody has read.
    case unreadCount
    /// No data of one user is sent as another, and no data of a user remains after a logout.
    case usersApart
    /// The server hears of a logout, or it stays to be told.
    case farewell
    /// Every question has one answer, and it is the right one.
    case oneAnswer
    /// A message is sent after its files were uploaded. A file is kept as long as the store names it.
    case filesFirst
    /// All upload attempts of a file together take no longer than `uploadTimeout`.
    case uploadsInTime
    /// The codec changes nothing.
    case codec
    /// The world comes to rest, and its screens await nothing.
    case rest
}

/// A rule that did not hold.
package struct Complaint: Hashable, Sendable {
    package var rule: Rule
    /// Milliseconds from the start of the run.
    package var time: Int64
    package var text: String
}
