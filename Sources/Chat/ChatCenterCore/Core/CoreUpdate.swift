/// One call of `handle`: the time, the randomness, and what has been asked for so far. Changes to the store are
/// gathered and become a commit before the next effect that anybody could see, so that nothing is seen that a crash
/// could undo.
struct CoreUpdate {
    let now: Moment
    var entropy: EntropySource
    private(set) var effects: [ChatEffect] = []
    /// What earlier turns could not commit, to go before the first commit of this one.
    var backlog: [StoreTransaction] = []
    /// Commits go to the backlog instead of out.
    var defersCommits = false
    /// Files that nobody needs once the backlog is committed: until then the store speaks of them.
    var unwantedFiles: [LocalFile] = []
    private var changes: [StoreChange] = []
    private var user = ""

    /// History comes in batches of hundreds; a commit is kept short so that a `send` never waits for a long one.
    static let longestTransaction = 50

    init(now: Moment, entropy: UInt64) {
        self.now = now
        self.entropy = EntropySource(seed: entropy)
    }

    /// Adds a change to the store of `user`.
    mutating func save(_ change: StoreChange, of user: String) {
        if user != self.user { flush() }
        self.user = user
        if case .erase = change { changes = [] }
        changes.append(change)
    }

    mutating func emit(_ effect: ChatEffect) {
        // A line of the log shows nothing that a crash could undo.
        if case .log = effect {
            effects.append(effect)
            return
        }
        flush()
        // Until the backlog is committed, the store may still name the file.
        if defersCommits || !backlog.isEmpty, case .discardFile(let file) = effect {
            unwantedFiles.append(file)
            return
        }
        effects.append(effect)
    }

    /// Adds a transaction as it stands.
    mutating func commit(_ transaction: StoreTransaction) {
        flush()
        append(transaction)
    }

    mutating func log(_ category: ChatLogRecord.Category, _ message: String) {
        effects.append(.log(ChatLogRecord(category, message)))
    }

    /// Makes the changes so far a commit.
    mutating func flush() {
        guard !changes.isEmpty else { return }
        var rest = changes[...]
        changes = []
        while !rest.isEmpty {
            append(StoreTransaction(user: user, changes: Array(rest.prefix(Self.longestTransaction))))
            rest = rest.dropFirst(Self.longestTransaction)
        }
    }

    /// Commits the backlog, then `transaction`, and discards unwanted files last: `transaction` may be an erasure that
    /// replaced the commits which removed the files' rows.
    mutating func flushBacklog(and transaction: StoreTransaction? = nil) {
        guard !defersCommits else { return }
        effects += backlog.map(ChatEffect.commit)
        if let transaction { effects.append(.commit(transaction)) }
        effects += unwantedFiles.map(ChatEffect.discardFile)
        backlog = []
        unwantedFiles = []
    }

    /// Takes a message that was never kept out of what waits to be committed.
    mutating func forget(_ id: MessageID) {
        for index in backlog.indices {
            backlog[index].changes.removeAll { change in
                switch change {
                case .saveMessage(let message): message.id == id
                case .saveAttachment(let job): job.message == id
                default: false
                }
            }
        }
        backlog.removeAll(where: \.changes.isEmpty)
    }

    /// The user's store is still to be erased: what it holds does not count.
    func isErasing(_ user: String) -> Bool {
        backlog.contains { $0.user == user && $0.changes.contains(.erase) }
    }

    /// Some user's store is still to be erased.
    var isErasing: Bool { backlog.contains { $0.changes.contains(.erase) } }

    /// What is to be erased need not be written first: that might be the very thing for which there is no room.
    private mutating func append(_ transaction: StoreTransaction) {
        if transaction.changes.contains(.erase) { backlog.removeAll { $0.user == transaction.user } }
        if defersCommits {
            backlog.append(transaction)
        } else {
            flushBacklog(and: transaction)
        }
    }
}
