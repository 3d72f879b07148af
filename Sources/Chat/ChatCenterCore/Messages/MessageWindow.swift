import ChatWire

/// The part of the conversation that is in memory, in order. The tables are only used for lookups and never iterated,
/// so the result does not depend on the order of a dictionary.
package struct MessageWindow: Hashable, Sendable {
    /// The number of messages in memory. If there are more, the oldest messages that are not queued are removed first.
    package static let capacity = 2000
    /// The largest number of messages in memory while the user scrolls back in the conversation. Above it, older
    /// messages are not loaded.
    package static let longest = 20_000
    /// The approximate limit of their total size, in bytes. Above it, the oldest messages that are not queued are
    /// removed.
    package static let longestInBytes = 32 << 20

    /// The messages, oldest first.
    package private(set) var messages = MessageList()
    /// A counter that increases with every change.
    private(set) var revision: UInt64 = 0
    /// The number of unread messages from the company.
    private(set) var unreadCount = 0
    /// The number of messages that were read on this device and whose reading the server has not confirmed.
    private(set) var readHereCount = 0
    /// The approximate total size in bytes.
    private(set) var weight = 0
    /// Surveys and requests to close the dialog, in the order of their arrival.
    private(set) var questions: [MessageID] = []
    /// The client's own answers to them, in the order of their arrival.
    private(set) var answers: [MessageID] = []
    /// Whether the store has older messages than the window.
    var storeHasOlder = false
    /// The current limit of the number of messages.
    private var limit = MessageWindow.capacity
    private var places: [MessageID: MessagePosition] = [:]
    private var statusIDs: [String: MessageID] = [:]
    private var nextSequence: Int64 = 0
    private var firstSequence: Int64 = 0

    package init() {}

    /// Replaces all messages with stored rows, in any order. The revision counter continues.
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

    /// Returns the message that a status of the server refers to.
    func id(forStatus name: String) -> MessageID? {
        statusIDs[name] ?? (places[MessageID(name)] == nil ? nil : MessageID(name))
    }

    /// The time of the newest message. Messages without a time get it.
    var newestTime: Int64? { messages.last?.position.time }

    var isFull: Bool { messages.count >= Self.longest || weight >= Self.longestInBytes / 2 }

    /// Increases the limit because the user scrolls back and needs this many more messages.
    mutating func makeRoom(_ count: Int) {
        limit = max(limit, min(messages.count + max(0, count), Self.longest))
    }

    /// Resets the limit to the usual number because the user returned to the newest messages.
    mutating func shrink() {
        guard limit > Self.capacity else { return }
        limit = Self.capacity
        guard messages.count > Self.capacity else { return }
        let first = messages.count - Self.capacity
        let kept = messages.enumerated().filter { $0.offset >= first || $0.element.delivery?.entry != nil }
        reset(to: kept.map(\.element), storeHasOlder: true)
    }

    /// Returns a position after all messages with the same time.
    mutating func placeAtEnd(time: Int64) -> MessagePosition {
        nextSequence = nextSequence.saturatingAdd(1)
        return MessagePosition(time: time, sequence: nextSequence)
    }

    /// Returns sequence numbers for `count` messages before all messages with the same time, in order.
    mutating func placesAtBeginning(_ count: Int) -> ClosedRange<Int64> {
        let last = firstSequence.saturatingAdd(-1)
        firstSequence = firstSequence.saturatingAdd(-Int64(max(count, 1)))
        return min(firstSequence, last)...last
    }

    /// Inserts a message or replaces the one with the same id.
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

    /// Increases the revision for a change that the rows do not contain, such as the start of an upload.
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
    /// Whether this is an unread message from the company.
    var isUnread: Bool {
        guard state == .received(.unread), content.modified != .deleted else { return false }
        if case .message = content.body { return true }
        return false
    }
}

/// Messages in the order of their positions. Each message is stored in its own box.
///
/// The screen keeps a copy of the list, so the next change copies the list again. The boxes make this cheap: only one
/// reference per message is copied. Copying the messages of a full window would take a millisecond each time.
package struct MessageList: Hashable, Sendable, RandomAccessCollection {
    private indirect enum Box: Hashable, Sendable {
        case message(StoredMessage)

        var content: StoredMessage {
            switch self {
            case .message(let message): message
            }
        }
    }

    private struct Item: Hashable, Sendable {
        /// The message's position, stored outside the box so that a binary search does not open the box.
        var position: MessagePosition
        var box: Box
    }

    private var items: [Item] = []

    package init() {}

    package var startIndex: Int { items.startIndex }
    package var endIndex: Int { items.endIndex }
    package subscript(index: Int) -> StoredMessage { items[index].box.content }

    /// Returns the position of the message at an index.
    func position(at index: Int) -> MessagePosition { items[index].position }

    mutating func insert(_ message: StoredMessage, at index: Int) {
        items.insert(Item(position: message.position, box: .message(message)), at: index)
    }

    mutating func remove(at index: Int) -> StoredMessage { items.remove(at: index).box.content }

    /// Returns the index of the first message at or after a position.
    func firstIndex(notBefore position: MessagePosition) -> Int {
        var low = 0
        var high = items.count
        while low < high {
            let middle = (low + high) / 2
            if items[middle].position < position { low = middle + 1 } else { high = middle }
        }
        return low
    }
}
