import HoldfastBase

/// The state of one call of `handle`: the time, the randomness and the effects so far. Changes to the store are
/// collected and committed before the next visible effect. A crash therefore cannot undo anything that was already
/// visible.
struct CoreUpdate {
    let now: Moment
    var entropy: EntropySource
    private(set) var effects: [ChatEffect] = []
    /// Transactions that earlier turns could not commit. They precede the first commit of this turn.
    var backlog: [StoreTransaction] = []
    /// Whether commits are added to the backlog instead of the effects.
    var defersCommits = false
    /// Files that are not needed after the backlog is committed. Until then, the store refers to them.
    var unwantedFiles: [LocalFile] = []
    private var changes: [StoreChange] = []
    private var user = ""

    /// The largest number of changes in one commit. History arrives in batches of hundreds; short commits keep a `send`
    /// from waiting for a long one. Further changes follow in the next commit.
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
        // A log line shows nothing that a crash could undo.
        if case .log = effect { return effects.append(effect) }
        flush()
        // Until the backlog is committed, the store may still refer to the file.
        if defersCommits || !backlog.isEmpty, case .discardFile(let file) = effect { return unwantedFiles.append(file) }
        effects.append(effect)
    }

    /// Adds a transaction unchanged.
    mutating func commit(_ transaction: StoreTransaction) {
        flush()
        append(transaction)
    }

    mutating func log(_ category: ChatLogRecord.Category, _ message: String) {
        effects.append(.log(ChatLogRecord(category, message)))
    }

    /// Turns the collected changes into commits.
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

    /// Removes a message that was never stored from the backlog.
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

    /// Returns whether the erasure of the user's store is pending. If so, its content must be ignored.
    func isErasing(_ user: String) -> Bool {
        backlog.contains { $0.user == user && $0.changes.contains(.erase) }
    }

    /// Whether the erasure of any user's store is pending.
    var isErasing: Bool { backlog.contains { $0.changes.contains(.erase) } }

    /// Changes that will be erased are not written first, because the disk may have no room for them.
    private mutating func append(_ transaction: StoreTransaction) {
        if transaction.changes.contains(.erase) { backlog.removeAll { $0.user == transaction.user } }
        if defersCommits {
            backlog.append(transaction)
        } else {
            flushBacklog(and: transaction)
        }
    }
}

/// A generator of random numbers that is seeded with the entropy of one event, for turns that need more than one
/// number.
struct EntropySource {
    private var numbers: SplitMix64

    init(seed: UInt64) {
        numbers = SplitMix64(seed: seed)
    }

    mutating func next() -> UInt64 { numbers.next() }

    /// Returns a version 4 UUID for values that need not be unpredictable, such as a typing notice or a survey answer.
    /// Its uniqueness depends on the entropy of the events.
    mutating func uuid() -> String { numbers.uuid() }
}
