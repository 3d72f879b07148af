/// Tracks changes that could not be stored yet, and the effects of the last turn. After a failed commit, the driver
/// skips the rest of that turn, so the skipped effects are requested again.
struct CommitLedger: Hashable, Sendable {
    /// The largest number of unsaved changes. Above it, the socket is closed so that no more changes arrive.
    static let longestBacklog = 1000
    /// The delay between two attempts to write to a failing store, in milliseconds.
    static let retryInterval: Int64 = 5000

    private var unsaved: [StoreTransaction] = []
    private var unwantedFiles: [LocalFile] = []
    /// The time of the next attempt to use the store, on the monotonic clock.
    private var retryAt: Int64?
    /// Logout outcomes that are reported after the user's store is erased.
    private var heldOutcomes: [SDKNotice] = []
    /// The effects of the last turn, kept while its commits can still fail.
    private var lastTurn: [ChatEffect] = []
    /// The error of the store, if its last use failed.
    private(set) var problem: StoreFailure?

    // MARK: Looking

    /// Whether the store failed and the next attempt is not due yet.
    var isFailing: Bool { retryAt != nil }

    /// The time of the next attempt to use the store, on the monotonic clock. After a successful commit the deferred
    /// work continues at once.
    var wake: Int64? { retryAt.map { lastTurn.isEmpty ? $0 : 0 } }

    /// Returns whether the number of unsaved changes exceeds the limit.
    static func isBacklogFull(_ update: CoreUpdate) -> Bool {
        update.backlog.reduce(0) { $0 + $1.changes.count } > longestBacklog
    }

    // MARK: Turns

    /// Adds the unsaved changes to the turn, before anything new. Until the next attempt is due, only two kinds of
    /// events try the store: a `send`, which needs an answer now, and events that erase or change the user.
    mutating func begin(_ event: ChatEvent, _ update: inout CoreUpdate) {
        update.backlog = unsaved
        update.unwantedFiles = unwantedFiles
        unsaved = []
        unwantedFiles = []
        // A failed commit is always the next event. Any other event means that the store accepted the last turn's
        // commits.
        if case .commitFailed = event {} else if !lastTurn.isEmpty { retryAt = nil }
        guard let retryAt else {
            problem = nil
            return
        }
        switch event {
        case .commitFailed, .send, .authorize, .deauthorize, .logout: break
        default:
            guard retryAt <= update.now.monotonic else {
                update.defersCommits = true
                return
            }
            self.retryAt = nil
            problem = nil
            update.flushBacklog()
        }
    }

    /// Keeps the uncommitted changes for the next turn.
    mutating func end(_ update: inout CoreUpdate) {
        update.flush()
        if !heldOutcomes.isEmpty, !update.isErasing {
            for outcome in heldOutcomes { update.emit(.notify(outcome)) }
            heldOutcomes = []
        }
        unsaved = update.backlog
        unwantedFiles = update.unwantedFiles
        lastTurn = update.effects.contains(where: \.isCommit) ? update.effects : []
    }

    // MARK: What happens

    /// Handles a failed commit.
    ///
    /// - Returns: The effects of the last turn that were not executed, beginning with the commit; `nil` if the last
    /// turn does not contain the commit.
    mutating func failed(
        _ transaction: StoreTransaction, _ failure: StoreFailure, _ update: inout CoreUpdate
    ) -> ArraySlice<ChatEffect>? {
        guard let index = lastTurn.firstIndex(of: .commit(transaction)) else { return nil }
        update.defersCommits = true
        problem = failure
        retryAt = update.now.after(milliseconds: Self.retryInterval).monotonic
        return lastTurn[index...]
    }

    /// Records that the store could not be read.
    mutating func readFailed(_ failure: StoreFailure) { problem = failure }

    /// Reports the outcome of a logout after the user's data is deleted.
    mutating func tellOutcome(_ notice: SDKNotice, _ update: inout CoreUpdate) {
        update.flush()
        if update.isErasing {
            heldOutcomes.append(notice)
        } else {
            update.emit(.notify(notice))
        }
    }
}
