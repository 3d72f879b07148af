/// What could not be stored yet, and what the last turn asked for: after a failed commit the driver carries out nothing of
/// the rest of that turn, so the rest is asked for again.
struct CommitLedger: Hashable, Sendable {
    /// Changes that may wait for a store that fails; beyond, the socket is closed so that no more come.
    static let longestBacklog = 1000
    /// Milliseconds.
    static let retryInterval: Int64 = 5000

    private var unsaved: [StoreTransaction] = []
    private var unwantedFiles: [LocalFile] = []
    /// When the store is tried again, on the monotonic clock.
    private var retryAt: Int64?
    /// Outcomes of logouts that are told once the user's store is erased.
    private var heldOutcomes: [SDKNotice] = []
    /// The last turn, kept while its commits may still fail.
    private var lastTurn: [ChatEffect] = []
    /// The error of the store, if it failed last.
    private(set) var problem: StoreFailure?

    // MARK: Looking

    /// The store failed, and is not tried again yet.
    var isFailing: Bool { retryAt != nil }

    /// When the store is tried again, on the monotonic clock. After a successful commit the deferred work continues at once.
    var wake: Int64? { retryAt.map { lastTurn.isEmpty ? $0 : 0 } }

    /// So much waits to be stored that no more may come.
    static func isBacklogFull(_ update: CoreUpdate) -> Bool {
        update.backlog.reduce(0) { $0 + $1.changes.count } > longestBacklog
    }

    // MARK: Turns

    /// Hands the turn what could not be stored so far, so that it goes before anything new. Until the next try is due
    /// only a `send` tries, which needs an answer now, and a wipe, which cannot wait.
    mutating func begin(_ event: ChatEvent, _ update: inout CoreUpdate) {
        update.backlog = unsaved
        update.unwantedFiles = unwantedFiles
        unsaved = []
        unwantedFiles = []
        // A failed commit is always the next event. Without one the store accepted the last turn's commits and works again.
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

    /// What the turn did not commit waits for the next one.
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

    /// A commit failed. Returns the effects of the last turn that were not carried out, the commit first; `nil` if the commit
    /// is not one of that update.
    mutating func failed(
        _ transaction: StoreTransaction, _ failure: StoreFailure, _ update: inout CoreUpdate
    ) -> ArraySlice<ChatEffect>? {
        guard let index = lastTurn.firstIndex(of: .commit(transaction)) else { return nil }
        update.defersCommits = true
        problem = failure
        retryAt = update.now.after(milliseconds: Self.retryInterval).monotonic
        return lastTurn[index...]
    }

    /// The store could not be read.
    mutating func readFailed(_ failure: StoreFailure) { problem = failure }

    /// Says what came of a logout, once nothing of the user is left.
    mutating func tellOutcome(_ notice: SDKNotice, _ update: inout CoreUpdate) {
        update.flush()
        if update.isErasing {
            heldOutcomes.append(notice)
        } else {
            update.emit(.notify(notice))
        }
    }
}
