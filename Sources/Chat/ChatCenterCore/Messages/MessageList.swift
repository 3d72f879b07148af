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
