public import ChatCenterCore

/// Values of the chat as they come. Each reader has a buffer of its own; a slow one loses the oldest values.
public struct ChatStream<Element: Sendable>: AsyncSequence, Sendable {
    public typealias Failure = Never

    private let stream: AsyncStream<Element>

    init(_ stream: AsyncStream<Element>) {
        self.stream = stream
    }

    /// Reads the values. One reader for each stream: ask for another stream to read twice.
    public struct AsyncIterator: AsyncIteratorProtocol {
        private var iterator: AsyncStream<Element>.Iterator

        init(_ iterator: AsyncStream<Element>.Iterator) {
            self.iterator = iterator
        }

        public mutating func next() async -> Element? {
            await iterator.next()
        }

        public mutating func next(isolation actor: isolated (any Actor)?) async -> Element? {
            await iterator.next(isolation: actor)
        }
    }

    public func makeAsyncIterator() -> AsyncIterator {
        AsyncIterator(stream.makeAsyncIterator())
    }
}

/// The states of a chat screen: the current one first, then each newer one. A slow reader sees the newest.
public typealias ChatScreenStates = ChatStream<ChatScreenState>
/// What happens to the chat.
public typealias ChatCenterEvents = ChatStream<ChatCenterEvent>
/// The states of one message. It ends after `read` or `failed`, when the message is deleted and when its user leaves.
public typealias ChatMessageFate = ChatStream<ChatMessageState>
