import ChatWire

/// The part of the conversation that is in memory, in order. Look-ups go through tables that are never walked, so that
/// nothing depends on the order of a dictionary.
package struct MessageWindow: Hashable, Sendable {
    /// How many messages are held; the oldest ones that are not in the queue go first.
    package static let capacity = 2000
    /// How many are held at most while the user goes back in the conversation.
    package static let longest = 20_000
    /// About how many bytes they may have together.
    package static let longestInBytes = 32 << 20

    /// Oldest first.
    package private(set) var messages = MessageList()
    /// Counts every change.
    private(set) var revision: UInt64 = 0
    /// Messages of the other side that nobody has read.
    private(set) var unreadCount = 0
    /// Messages that were read here without the server's knowledge.
    private(set) var readHereCount = 0
    /// About how many bytes they have together.
    private(set) var weight = 0
    /// Surveys and requests to close, in the order of their arrival.
    private(set) var questions: [MessageID] = []
    /// The client's own answers to them, in the order of their arrival.
    private(set) var answers: [MessageID] = []
    /// Messages were dropped from the old end, or the store held more from the start.
    var storeHasOlder = false
    /// How many are held now.
    private var limit = MessageWindow.capacity
    private var places: [MessageID: MessagePosition] = [:]
    private var statusIDs: [String: MessageID] = [:]
    private var nextSequence: Int64 = 0
    private var firstSequence: Int64 = 0

    package init() {}

    /// Forgets everything and takes over the rows that a store gave back, in any order. The count of changes goes on.
    mutating func reset(to stored: [StoredMessage] = [], storeHasOlder: Bool = false) {
        let past = revision
        self = MessageWindow()
        revision = past &+ 1
        self.storeHasOlder = storeHasOlder
        for message in stored { insert(message) }
    }

    package subscript(id: MessageID) -> StoredMessage? {
        index(of: id).map { messages[$0] }
    }

    /// The message that a status of the server names.
    func id(forStatus name: String) -> MessageID? {
        statusIDs[name] ?? (places[MessageID(name)] == nil ? nil : MessageID(name))
    }

    /// The time that a message without one gets: that of the newest message.
    var newestTime: Int64? { messages.last?.position.time }

    var isFull: Bool { messages.count >= Self.longest || weight >= Self.longestInBytes / 2 }

    /// The user goes back: so many more are to be held.
    mutating func makeRoom(_ count: Int) {
        limit = max(limit, min(messages.count + max(0, count), Self.longest))
    }

    /// The user is back: as many as usual are enough.
    mutating func shrink() {
        guard limit > Self.capacity else { return }
        limit = Self.capacity
        guard messages.count > Self.capacity else { return }
        let first = messages.count - Self.capacity
        let kept = messages.enumerated().filter { $0.offset >= first || $0.element.delivery?.entry != nil }
        reset(to: kept.map(\.element), storeHasOlder: true)
    }

    /// A place after everything that has the same time.
    mutating func placeAtEnd(time: Int64) -> MessagePosition {
        nextSequence = nextSequence.saturatingAdd(1)
        return MessagePosition(time: time, sequence: nextSequence)
    }

    /// Places for `count` messages before everything that has the same time, in order.
    mutating func placesAtBeginning(_ count: Int) -> ClosedRange<Int64> {
        let last = firstSequence.saturatingAdd(-1)
        firstSequence = firstSequence.saturatingAdd(-Int64(max(count, 1)))
        return min(firstSequence, last)...last
    }

    /// Inserts or replaces.
    mutating func save(_ message: StoredMessage) {
        remove(message.id)
        insert(message)
        trim()
    }

    mutating func remove(_ id: MessageID) {
        guard let index = index(of: id) else { return }
        let removed = messages.remove(at: index)
        places[id] = nil
        if let name = removed.serverID { statusIDs[name] = nil }
        weight -= removed.content.weight
        if removed.isUnread { unreadCount -= 1 }
        if removed.content.body.isQuestion { questions.removeAll { $0 == id } }
        if removed.content.body.isAnswer { answers.removeAll { $0 == id } }
        if removed.state == .received(.readHere) { readHereCount -= 1 }
        revision &+= 1
    }

    /// Counts a change that the rows do not show, such as an upload that began.
    mutating func touch() { revision &+= 1 }

    private mutating func insert(_ message: StoredMessage) {
        guard places[message.id] == nil else { return }
        messages.insert(message, at: messages.firstIndex(notBefore: message.position))
        places[message.id] = message.position
        if let name = message.serverID { statusIDs[name] = message.id }
        weight += message.content.weight
        if message.isUnread { unreadCount += 1 }
        if message.content.body.isQuestion { questions.append(message.id) }
        if message.content.body.isAnswer { answers.append(message.id) }
        if message.state == .received(.readHere) { readHereCount += 1 }
        nextSequence = max(nextSequence, message.position.sequence)
        firstSequence = min(firstSequence, message.position.sequence)
        revision &+= 1
    }

    private mutating func trim() {
        while messages.count > limit || weight > Self.longestInBytes {
            guard let oldest = messages.first(where: { $0.delivery?.entry == nil }) else { return }
            remove(oldest.id)
            storeHasOlder = true
        }
    }

    private func index(of id: MessageID) -> Int? {
        guard let place = places[id] else { return nil }
        var index = messages.firstIndex(notBefore: place)
        while index < messages.count, messages.position(at: index) == place {
            if messages[index].id == id { return index }
            index += 1
        }
        return nil
    }
}

extension StoredMessage {
    /// A message of the other side that nobody has read.
    var isUnread: Bool {
        guard state == .received(.unread), content.modified != .deleted else { return false }
        if case .message = content.body { return true }
        return false
    }
}
