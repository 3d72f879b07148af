import ChatCenter
import ChatCenterCore
import ChatWire
public import Foundation

/// One user's conversation on the disk, without an SDK around it: for benchmarks that fill a store with more messages than
/// a server would send in reasonable time, and that ask the store alone.
///
/// It lies where a `ChatCenterUISDK` with the same `storageDirectory` and `providerUid` looks for the user, and is the
/// same SQLite store. Every call blocks on the disk. Let it go before an SDK authorises that user.
public final class StoredConversation {
    private static let batch = 500
    /// Milliseconds since 1970 of the first message, and from each to the next.
    private static let start: Int64 = 1_700_000_000_000
    private static let step: Int64 = 60_000

    private let store: any ChatStore
    private let clientID: String
    /// How many messages were appended.
    public private(set) var count = 0

    /// Opens nothing before it is used.
    public init(of clientID: String, providerUid: String, in storageDirectory: URL) {
        self.clientID = clientID
        store = UserStore.make(root: storageDirectory, providerUID: providerUid, clientID: clientID)
    }

    /// Appends messages, every second one the user's own; they are on the disk when the call returns.
    ///
    /// - Throws: ``StoredConversationError``.
    public func append(_ texts: [String]) throws(StoredConversationError) {
        for begin in stride(from: 0, to: texts.count, by: Self.batch) {
            var changes = texts[begin..<min(begin + Self.batch, texts.count)].enumerated().map { index, text in
                StoreChange.saveMessage(message(count + index, text))
            }
            count += changes.count
            changes.append(.cursor(Self.name(count - 1)))
            let transaction = StoreTransaction(user: clientID, changes: changes)
            try attempt { () throws(StoreFailure) in try store.commit(transaction) }
        }
    }

    /// Opens the store, if it is not open yet, and reads what an SDK reads when the user is authorised. Returns the number of
    /// messages.
    ///
    /// - Parameter newest: How many of the newest messages are wanted.
    /// - Throws: ``StoredConversationError``.
    public func restore(newest: Int) throws(StoredConversationError) -> Int {
        try attempt { () throws(StoreFailure) in try store.restore(window: newest).messages.count }
    }

    /// Reads the `count` messages before the one that was appended as number `index`. Returns how many there were.
    ///
    /// - Throws: ``StoredConversationError``.
    public func page(before index: Int, count: Int) throws(StoredConversationError) -> Int {
        let query = HistoryQuery(before: Self.position(index), count: count)
        return try attempt { () throws(StoreFailure) in try store.page(query).messages.count }
    }

    /// Looks for messages with words that begin with the words of `text`. Returns how many were found, at most `limit`.
    ///
    /// - Throws: ``StoredConversationError``.
    public func search(_ text: String, limit: Int) throws(StoredConversationError) -> Int {
        let query = SearchQuery(text: text, limit: limit)
        return try attempt { () throws(StoreFailure) in try store.search(query).count }
    }

    private func attempt<Value>(_ body: () throws(StoreFailure) -> Value) throws(StoredConversationError) -> Value {
        do throws(StoreFailure) {
            return try body()
        } catch {
            throw StoredConversationError(reason: error.kind.rawValue)
        }
    }

    private func message(_ index: Int, _ text: String) -> StoredMessage {
        let name = Self.name(index)
        let position = Self.position(index)
        let isOwn = index.isMultiple(of: 2)
        return StoredMessage(
            id: MessageID(name), serverID: "server-\(name)",
            content: Content(
                .message, clientID: isOwn ? clientID : nil, uuid: name,
                operator: isOwn ? nil : Operator(id: "1", name: "Vera", role: .operator), text: text,
                receivedDate: position.time),
            position: position, state: isOwn ? .own(.read) : .received(.read))
    }

    private static func position(_ index: Int) -> MessagePosition {
        MessagePosition(time: start + Int64(clamping: index) * step, sequence: 0)
    }

    /// As long as a UUID, which it stands for.
    private static func name(_ index: Int) -> String {
        let digits = String(index)
        return "00000000-0000-4000-8000-" + String(repeating: "0", count: max(0, 12 - digits.count)) + digits
    }
}
