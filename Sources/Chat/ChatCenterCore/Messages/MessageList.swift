/// Messages in the order of their positions, each in a box of its own.
///
/// A screen that is shown holds a copy of the list, so that the next change copies it once more. That takes a reference
/// for each message and not the message, which is large: a full window would cost a millisecond each time.
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
        /// The message's own, beside the box: a search for a place opens none.
        var position: MessagePosition
        var box: Box
    }

    private var items: [Item] = []

    package init() {}

    package var startIndex: Int { items.startIndex }
    package var endIndex: Int { items.endIndex }
    package subscript(index: Int) -> StoredMessage { items[index].box.content }

    /// The position of the message at an index.
    func position(at index: Int) -> MessagePosition { items[index].position }

    mutating func insert(_ message: StoredMessage, at index: Int) {
        items.insert(Item(position: message.position, box: .message(message)), at: index)
    }

    mutating func remove(at index: Int) -> StoredMessage { items.remove(at: index).box.content }

    /// The first index whose message is not before a position.
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
