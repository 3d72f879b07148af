import ChatCenter
import ChatCenterCore
import ChatWire
public import Foundation

/// One user's conversation on disk, without an SDK around it.
///
/// Benchmarks use it to fill a store with more messages than a server can send in reasonable time, and to measure the
/// store alone.
///
/// The store is the same SQLite store in the same folder that a `ChatCenterUISDK` with the same `storageDirectory` and
/// `providerUid` uses for the user. Every call blocks on the disk. Release the value before an SDK authorizes that
/// user.
public final class StoredConversation {
    private static let batch = 500
    /// The time of the first message, in milliseconds since 1970, and the interval between two messages.
    private static let start: Int64 = 1_700_000_000_000
    private static let step: Int64 = 60_000

    private let store: any ChatStore
    private let clientID: String
    /// The number of appended messages.
    public private(set) var count = 0

    /// Creates a conversation. The store is opened on first use.
    public init(of clientID: String, providerUid: String, in storageDirectory: URL) {
        self.clientID = clientID
        store = UserStore.make(root: storageDirectory, providerUID: providerUid, clientID: clientID)
    }

    /// Appends messages; every second one is the user's own. All messages are on disk when the call returns.
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

    /// Opens the store if necessary, and reads what an SDK reads when it authorizes the user. Returns the number of
    /// messages.
    ///
    /// - Parameter newest: The maximum number of newest messages to read.
    /// - Throws: ``StoredConversationError``.
    public func restore(newest: Int) throws(StoredConversationError) -> Int {
        try attempt { () throws(StoreFailure) in try store.restore(window: newest).messages.count }
    }

    /// Reads the `count` messages before the message at `index`. Returns how many there were.
    ///
    /// - Throws: ``StoredConversationError``.
    public func page(before index: Int, count: Int) throws(StoredConversationError) -> Int {
        let query = HistoryQuery(before: Self.position(index), count: count)
        return try attempt { () throws(StoreFailure) in try store.page(query).messages.count }
    }

    /// Searches for messages with words that begin with the words of `text`. Returns the number of hits, at most
    /// `limit`.
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

    /// An identifier with the length of a UUID.
    private static func name(_ index: Int) -> String {
        let digits = String(index)
        return "00000000-0000-4000-8000-" + String(repeating: "0", count: max(0, 12 - digits.count)) + digits
    }
}

/// An error for a store that cannot be read or written.
public struct StoredConversationError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The kind of failure, for example `diskFull` or `corrupt`.
    public let reason: String

    /// The error as a sentence.
    public var description: String { "The stored conversation failed: \(reason)." }
}
