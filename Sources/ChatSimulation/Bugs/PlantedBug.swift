/// A mistake made on purpose at a seam of the cores, to see that the simulation finds it. The cores themselves are the
/// shipping ones.
package enum PlantedBug: String, Hashable, Sendable, CaseIterable {
    /// What the look-up would say is taken for empty: a message of unknown outcome goes out again at once.
    case resendWithoutLookUp
    /// The timer stays armed in the background.
    case timerInBackground
    /// A socket that is given up is not closed.
    case secondSocket
    /// A commit that takes a message returns without having written anything.
    case lostCommit
    /// `send` is answered before its commit.
    case acknowledgedBeforeCommit
    /// A commit that fails is taken for one that did not.
    case ignoredDiskFull
    /// The server takes a message that comes again for another one.
    case noDeduplication
    /// The order of the queue does not survive a restart.
    case queueReordered
    /// Events of an earlier socket are taken for events of this one.
    case staleGenerationAccepted
    /// No message ever fails for want of an answer.
    case deadlineNeverJudged
    /// After a restart the cursor names the newest message there is, as if nothing could be missing before it.
    case cursorMovedTooFar
    /// Unread messages count twice.
    case unreadCountedTwice
    /// What is to be told to the server after a logout is not kept.
    case farewellForgotten
    /// A logout leaves the store as it is.
    case eraseForgotten
    /// The next user's socket is opened with the token of the one before.
    case tokenOfPreviousUser
    /// The server answers before it commits.
    case receiptBeforeCommit
    /// A failure is kept and not told.
    case failureNotTold

    /// The rule that it breaks, as far as there is one.
    package var summary: String {
        switch self {
        case .resendWithoutLookUp: "a message of unknown outcome is sent again without a look at the history"
        case .timerInBackground: "the timer stays armed in the background"
        case .secondSocket: "a socket that is given up is not closed"
        case .lostCommit: "a commit returns without having written anything"
        case .acknowledgedBeforeCommit: "send is answered before its commit"
        case .ignoredDiskFull: "a failed commit is taken for a good one"
        case .noDeduplication: "the server keeps a repeated message twice"
        case .queueReordered: "the queue's order does not survive a restart"
        case .staleGenerationAccepted: "events of an earlier socket are taken for events of this one"
        case .deadlineNeverJudged: "no message fails for want of an answer"
        case .cursorMovedTooFar: "a restart takes the newest message for the history's cursor"
        case .unreadCountedTwice: "unread messages count twice"
        case .farewellForgotten: "the farewell of a logout is not kept"
        case .eraseForgotten: "a logout leaves the store as it is"
        case .tokenOfPreviousUser: "the next user's socket is opened with the token of the one before"
        case .receiptBeforeCommit: "the server answers before it commits"
        case .failureNotTold: "a failure is kept and not told"
        }
    }
}
