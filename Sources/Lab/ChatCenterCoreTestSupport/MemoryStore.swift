package import ChatCenterCore
package import ChatWire
import OrderedCollections

/// A store in memory, for tests and simulations. It is the simplest implementation of the store's contract.
package final class MemoryStore: ChatStore {
    /// The stored data. A copy is a snapshot.
    package struct Contents: Hashable, Sendable {
        package internal(set) var deviceAddress: String?
        package internal(set) var configuration: ConfigurationAnswer?
        package internal(set) var cursor: String?
        package internal(set) var dialog = DialogState()
        package internal(set) var draft: String?
        package internal(set) var farewell: Farewell?
        private(set) var messages: OrderedDictionary<MessageID, StoredMessage> = [:]
        private(set) var attachments: OrderedDictionary<TransferID, AttachmentJob> = [:]

        package init() {}

        /// Whether nothing is stored.
        package var isEmpty: Bool { self == Contents() }

        /// All messages in order.
        package var orderedMessages: [StoredMessage] { messages.values.sorted { $0.position < $1.position } }

        /// All attachment jobs, in the order of their first commit.
        package var orderedAttachments: [AttachmentJob] { Array(attachments.values) }

        mutating func apply(_ change: StoreChange) {
            switch change {
            case .saveMessage(let message): messages[message.id] = message
            case .removeMessage(let id): messages[id] = nil
            case .amend(let amendment): amend(amendment)
            case .saveAttachment(let job): attachments[job.id] = job
            case .removeAttachment(let id): attachments[id] = nil
            case .deviceAddress(let address): deviceAddress = address
            case .configuration(let answer): configuration = answer
            case .cursor(let uuid): cursor = uuid
            case .dialog(let state): dialog = state
            case .draft(let text): draft = text
            case .farewell(let job): farewell = job
            case .erase: self = Contents()
            }
        }

        private mutating func amend(_ amendment: Amendment) {
            let id: MessageID? =
                switch amendment.target {
                case .id(let id): id
                case .statusID(let name): messages.values.first { $0.statusID == name || $0.id.text == name }?.id
                }
            guard let id, var message = messages[id], message.apply(amendment.change) else { return }
            messages[id] = message
        }
    }

    /// The stored data.
    package private(set) var contents: Contents
    /// The number of following commits that fail with `.diskFull`.
    package var failuresToCome = 0

    package init(_ contents: Contents = Contents()) {
        self.contents = contents
    }

    package func restore(window: Int) throws(StoreFailure) -> PersistedChat {
        let ordered = contents.orderedMessages
        var count = max(0, window)
        if count > 0, let untold = ordered.firstIndex(where: { $0.state == .received(.readHere) }) {
            count = max(count, min(ordered.count - untold, MessageWindow.capacity))
        }
        let recent = ordered.suffix(count)
        let queued = ordered.dropLast(recent.count).filter { $0.delivery?.entry != nil }
        var chat = PersistedChat.empty
        chat.deviceAddress = contents.deviceAddress
        chat.configuration = contents.configuration
        chat.cursor = contents.cursor
        chat.dialog = contents.dialog
        chat.draft = contents.draft
        chat.messages = queued + recent
        chat.hasOlder = ordered.count > recent.count
        chat.attachments = contents.orderedAttachments
        chat.farewell = contents.farewell
        return chat
    }

    package func commit(_ transaction: StoreTransaction) throws(StoreFailure) {
        if failuresToCome > 0 {
            failuresToCome -= 1
            throw StoreFailure(.diskFull)
        }
        for change in transaction.changes { contents.apply(change) }
    }

    package func messages(named names: [String]) throws(StoreFailure) -> [StoredMessage] {
        let names = Set(names)
        return contents.orderedMessages.filter { message in
            names.contains(message.id.text) || message.serverID.map(names.contains) == true
        }
    }

    package func page(_ query: HistoryQuery) throws(StoreFailure) -> HistoryPage {
        let ordered = contents.orderedMessages
        let count = max(0, query.count)
        let range: Range<Int>
        switch query.bound {
        case .newest: range = max(0, ordered.count - count)..<ordered.count
        case .before(let position):
            let end = ordered.firstIndex { $0.position >= position } ?? ordered.count
            range = max(0, end - count)..<end
        case .after(let position):
            let start = ordered.firstIndex { $0.position > position } ?? ordered.count
            range = start..<min(ordered.count, start + count)
        case .around(let id):
            guard let place = ordered.firstIndex(where: { $0.id == id }) else {
                return HistoryPage(messages: [], hasOlder: false)
            }
            range = max(0, place - count)..<min(ordered.count, place + 1 + count)
        }
        return HistoryPage(messages: Array(ordered[range]), hasOlder: range.lowerBound > 0)
    }

    package func search(_ query: SearchQuery) throws(StoreFailure) -> [SearchHit] {
        let words = Self.words(of: query.text)
        guard !words.isEmpty else { return [] }
        return contents.orderedMessages.reversed().lazy
            .filter { message in
                guard message.content.modified != .deleted else { return false }
                let found = Self.words(of: message.searchableText)
                return words.allSatisfy { word in found.contains { $0.hasPrefix(word) } }
            }
            .prefix(max(0, query.limit)).map { SearchHit(id: $0.id, position: $0.position, content: $0.content) }
    }

    /// Splits text into lowercased words of letters and digits. Diacritics are significant here; a store with a
    /// full-text index ignores them.
    private static func words(of text: String) -> [Substring] {
        text.lowercased().split { !$0.isLetter && !$0.isNumber }
    }

    package func erase() throws(StoreFailure) {
        contents = Contents()
    }
}
