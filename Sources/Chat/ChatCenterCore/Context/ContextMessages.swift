import ChatWire

/// The messages of a context, in order. Their number and size are limited.
struct ContextMessages: Hashable, Sendable {
    struct Item: Hashable, Sendable {
        var message: StoredMessage
        /// Whether the message is from the store, so that the store has its neighbors.
        var isStored: Bool
    }

    /// The parts of the screen that the rows depend on.
    struct Drawing: Hashable, Sendable {
        var hidden: [MessageID]
        var uploading: [MessageID]
        var showsLinkPreviews: Bool
    }

    /// The largest number of messages in memory. Above it, messages at the opposite end are removed.
    static let longest = 1000
    /// The approximate limit of their total size, in bytes. Above it, messages at the opposite end are removed.
    static let longestInBytes = 8 << 20

    private var items: [Item] = []
    private var weight = 0

    var first: Item? { items.first }
    var last: Item? { items.last }

    /// The oldest message that a history request can refer to.
    var oldestUUID: String? { items.first(where: \.message.isOnServer)?.message.id.text }
    /// The newest message that a history request can refer to.
    var newestUUID: String? { items.last(where: \.message.isOnServer)?.message.id.text }

    /// Adds a page at one end, without messages that are already known.
    ///
    /// - Returns: Whether messages at the other end were removed, because there were too many.
    mutating func add(_ messages: [StoredMessage], isStored: Bool, atBeginning: Bool) -> Bool {
        let known = Set(items.map(\.message.id))
        let new = messages.filter { !known.contains($0.id) }.map { Item(message: $0, isStored: isStored) }
        items.insert(contentsOf: new, at: atBeginning ? 0 : items.count)
        weight += new.reduce(0) { $0 + $1.message.content.weight }
        var isCut = false
        while items.count > 1, items.count > Self.longest || weight > Self.longestInBytes {
            let removed = atBeginning ? items.removeLast() : items.removeFirst()
            weight -= removed.message.content.weight
            isCut = true
        }
        return isCut
    }

    /// Applies a change of the store. Returns whether a message changed.
    mutating func apply(_ change: StoreChange) -> Bool {
        switch change {
        case .saveMessage(let message): return edit({ $0.id == message.id }) { $0 = message }
        case .removeMessage(let id):
            guard let index = items.firstIndex(where: { $0.message.id == id }) else { return false }
            weight -= items.remove(at: index).message.content.weight
            return true
        case .amend(let amendment):
            switch amendment.target {
            case .id(let id): return edit({ $0.id == id }) { _ = $0.apply(amendment.change) }
            case .statusID(let name):
                return edit({ $0.statusID == name || $0.id.text == name }) { _ = $0.apply(amendment.change) }
            }
        default: return false
        }
    }

    private mutating func edit(_ isMeant: (StoredMessage) -> Bool, _ change: (inout StoredMessage) -> Void) -> Bool {
        guard let index = items.firstIndex(where: { isMeant($0.message) }) else { return false }
        let before = items[index].message
        change(&items[index].message)
        weight += items[index].message.content.weight - before.content.weight
        return items[index].message != before
    }

    /// Returns the rows. A message of the conversation is drawn from there, because its state may not be stored.
    func rows(in window: MessageWindow, _ drawing: Drawing) -> [ChatScreenMessage] {
        items.compactMap { item in
            guard !drawing.hidden.contains(item.message.id) else { return nil }
            let message = window[item.message.id] ?? item.message
            var row = message.row(isUploading: drawing.uploading.contains(message.id))
            row?.buttons = []
            if drawing.showsLinkPreviews { row?.previewLink = message.previewLink }
            return row
        }
    }
}
