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
    /// The core does not hear that the app went to the background: everything stays as it is.
    case backgroundIgnored
    /// After a restart a message that may have arrived goes out as if it had never been sent.
    case restoredAsUnsent
    /// A message that goes out again has another name.
    case newNameOnResend
    /// The history's cursor is kept, the messages before it are not.
    case cursorWithoutMessages
    /// Read marks never reach a socket.
    case readMarksForgotten
    /// The timer for an overdue answer comes ten seconds late.
    case overdueTimerLate
    /// No upload ever times out.
    case uploadNeverTimesOut
    /// The timer that ends a logout never comes.
    case logoutTimerLost
    /// The outcome of a message is not stored.
    case outcomeNotKept
    /// A file is discarded before its row is removed from the store.
    case fileDiscardedFirst
    /// A text that is sent during an upload has to wait for an upload as well.
    case textBehindUpload

    /// The rules that it breaks: another complaint is no proof that it was found.
    package var rules: [Rule] {
        switch self {
        case .resendWithoutLookUp: [.lookUpFirst]
        case .timerInBackground, .backgroundIgnored: [.quietTimer]
        case .secondSocket, .staleGenerationAccepted: [.oneSocket]
        case .lostCommit: [.nothingLost]
        case .acknowledgedBeforeCommit: [.oneAnswer]
        case .ignoredDiskFull: [.nothingLost, .storeAgrees, .complete]
        case .noDeduplication, .newNameOnResend: [.nothingTwice]
        case .queueReordered: [.inOrder]
        case .deadlineNeverJudged: [.failsInTime]
        case .cursorMovedTooFar: [.complete]
        case .unreadCountedTwice, .readMarksForgotten: [.unreadCount]
        case .farewellForgotten: [.farewell]
        case .eraseForgotten, .tokenOfPreviousUser: [.usersApart]
        case .receiptBeforeCommit: [.nothingLost, .unreadCount]
        case .failureNotTold: [.fateIsTold, .failsInTime]
        case .restoredAsUnsent: [.lookUpFirst, .nothingTwice]
        case .cursorWithoutMessages: [.complete, .storeAgrees]
        case .overdueTimerLate: [.overdueAnswer]
        case .uploadNeverTimesOut: [.uploadsInTime]
        case .logoutTimerLost: [.farewell]
        case .outcomeNotKept: [.fateIsTold]
        case .fileDiscardedFirst: [.filesFirst]
        case .textBehindUpload: [.queueMoves]
        }
    }

    /// What is wrong, in a few words.
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
        case .backgroundIgnored: "the core does not hear of the background"
        case .restoredAsUnsent: "after a restart a message that may have arrived is taken for one that was never sent"
        case .newNameOnResend: "a message that goes out again has another name"
        case .cursorWithoutMessages: "the cursor is kept without the messages before it"
        case .readMarksForgotten: "read marks never reach a socket"
        case .overdueTimerLate: "the timer for an overdue answer comes ten seconds late"
        case .uploadNeverTimesOut: "no upload times out"
        case .logoutTimerLost: "the timer that ends a logout never comes"
        case .outcomeNotKept: "the outcome of a message is not stored"
        case .fileDiscardedFirst: "a file is discarded before its row is removed from the store"
        case .textBehindUpload: "a text that is sent during an upload has to wait for an upload as well"
        }
    }
}
