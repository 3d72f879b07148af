public import ChatCenterCore

/// A sequence of values of the chat. Each reader has its own buffer; a slow reader loses the oldest values.
public struct ChatStream<Element: Sendable>: AsyncSequence, Sendable {
    /// Iteration never throws.
    public typealias Failure = Never

    private let stream: AsyncStream<Element>

    init(_ stream: AsyncStream<Element>) {
        self.stream = stream
    }

    /// Iterates over the values. A stream supports one iterator: request another stream to read twice.
    public struct AsyncIterator: AsyncIteratorProtocol {
        private var iterator: AsyncStream<Element>.Iterator

        init(_ iterator: AsyncStream<Element>.Iterator) {
            self.iterator = iterator
        }

        /// Returns the next value; `nil` at the end.
        public mutating func next() async -> Element? {
            await iterator.next()
        }

        /// Returns the next value; `nil` at the end.
        public mutating func next(isolation actor: isolated (any Actor)?) async -> Element? {
            await iterator.next(isolation: actor)
        }
    }

    /// Returns an iterator over the elements.
    public func makeAsyncIterator() -> AsyncIterator {
        AsyncIterator(stream.makeAsyncIterator())
    }
}

/// The states of a chat screen: the current one, then each newer one. A slow reader gets the newest.
public typealias ChatScreenStates = ChatStream<ChatScreenState>
/// The events of the chat.
public typealias ChatCenterEvents = ChatStream<ChatCenterEvent>
/// The states of one message. Ends after `read` or `failed`, when the message is deleted, and when its user logs out.
public typealias ChatMessageFate = ChatStream<ChatMessageState>
