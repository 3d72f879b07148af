/// A deliberate bug at the interface of a core, which the simulation must find. The code of the cores stays unchanged.
package enum PlantedBug: String, Hashable, Sendable, CaseIterable {
    /// A look-up returns an empty history, so a message of unknown outcome is sent again at once.
    case resendWithoutLookUp
    /// The timer stays armed in the background.
    case timerInBackground
    /// A socket that the core closes stays open.
    case secondSocket
    /// A commit that stores a message returns without writing anything.
    case lostCommit
    /// `send` is answered before its commit.
    case acknowledgedBeforeCommit
    /// A failed commit is reported as successful.
    case ignoredDiskFull
    /// The server stores a repeated message a second time.
    case noDeduplication
    /// The order of the queue does not survive a restart.
    case queueReordered
    /// Events of an earlier socket are handled as events of the current one.
    case staleGenerationAccepted
    /// A message without a reply never fails.
    case deadlineNeverJudged
    /// After a restart the cursor names the newest message, although earlier messages may be missing.
    case cursorMovedTooFar
    /// Unread messages are counted twice.
    case unreadCountedTwice
    /// The farewell of a logout is not stored.
    case farewellForgotten
    /// A logout does not erase the store.
    case eraseForgotten
    /// The next user's socket is opened with the token of the previous user.
    case tokenOfPreviousUser
    /// The server sends a receipt before it commits.
    case receiptBeforeCommit
    /// The failure of a message is stored and not reported.
    case failureNotTold
    /// The core is not informed that the app entered the background.
    case backgroundIgnored
    /// After a restart a message that may have arrived is sent as if it had never been sent.
    case restoredAsUnsent
    /// A message that is sent again has another uuid.
    case newNameOnResend
    /// The history's cursor is stored without the messages before it.
    case cursorWithoutMessages
    /// Read marks are never sent.
    case readMarksForgotten
    /// The timer for an overdue reply fires ten seconds late.
    case overdueTimerLate
    /// Uploads never time out.
    case uploadNeverTimesOut
    /// The timer that ends a logout never fires.
    case logoutTimerLost
    /// The outcome of a message is not stored.
    case outcomeNotKept
    /// A file is discarded before its row is removed from the store.
    case fileDiscardedFirst
    /// A text that is sent during an upload waits for another upload.
    case textBehindUpload

    /// The rules that the bug breaks. A complaint of another rule does not count as finding it.
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

    /// A short description of the bug.
    package var summary: String {
        switch self {
        case .resendWithoutLookUp: "a message of unknown outcome is sent again without a look-up in the history"
        case .timerInBackground: "the timer stays armed in the background"
        case .secondSocket: "a socket that the core closes stays open"
        case .lostCommit: "a commit returns without writing anything"
        case .acknowledgedBeforeCommit: "send is answered before its commit"
        case .ignoredDiskFull: "a failed commit is reported as successful"
        case .noDeduplication: "the server stores a repeated message twice"
        case .queueReordered: "the queue's order does not survive a restart"
        case .staleGenerationAccepted: "events of an earlier socket are handled as events of the current one"
        case .deadlineNeverJudged: "a message without a reply never fails"
        case .cursorMovedTooFar: "after a restart the history's cursor names the newest message"
        case .unreadCountedTwice: "unread messages are counted twice"
        case .farewellForgotten: "the farewell of a logout is not stored"
        case .eraseForgotten: "a logout does not erase the store"
        case .tokenOfPreviousUser: "the next user's socket is opened with the token of the previous user"
        case .receiptBeforeCommit: "the server sends a receipt before it commits"
        case .failureNotTold: "a failure is stored and not reported"
        case .backgroundIgnored: "the core is not informed of the background"
        case .restoredAsUnsent: "after a restart a message that may have arrived is sent as if it had never been sent"
        case .newNameOnResend: "a message that is sent again has another uuid"
        case .cursorWithoutMessages: "the cursor is stored without the messages before it"
        case .readMarksForgotten: "read marks are never sent"
        case .overdueTimerLate: "the timer for an overdue reply fires ten seconds late"
        case .uploadNeverTimesOut: "uploads never time out"
        case .logoutTimerLost: "the timer that ends a logout never fires"
        case .outcomeNotKept: "the outcome of a message is not stored"
        case .fileDiscardedFirst: "a file is discarded before its row is removed from the store"
        case .textBehindUpload: "a text that is sent during an upload waits for another upload"
        }
    }
}
