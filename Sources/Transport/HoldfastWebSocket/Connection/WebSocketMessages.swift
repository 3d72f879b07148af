/// The messages of a connection, as they arrive.
///
/// It ends when the peer has closed the connection properly, with whatever code (``WebSocketConnection/closure`` has
/// it), or when this end has closed it. It throws a ``WebSocketError`` when the peer broke the protocol, passed a
/// limit, fell silent or vanished. Two tasks that read at a time are an error for the second one.
public struct WebSocketMessages: AsyncSequence, Sendable {
    public typealias Element = WebSocketMessage
    public typealias Failure = any Error

    private let handle: WebSocketHandle

    init(handle: WebSocketHandle) {
        self.handle = handle
    }

    public func makeAsyncIterator() -> Iterator {
        Iterator(handle: handle)
    }

    /// Takes one message after the other. A later iterator goes on where an earlier one stopped.
    public struct Iterator: AsyncIteratorProtocol {
        private let handle: WebSocketHandle

        init(handle: WebSocketHandle) {
            self.handle = handle
        }

        /// The next message; `nil` when there are no more. When the task is cancelled it throws `CancellationError`; no
        /// message is lost by it.
        public mutating func next() async throws -> WebSocketMessage? {
            try await handle.link.receiveMessage()
        }

        /// The next message; `nil` when there are no more.
        public mutating func next(
            isolation actor: isolated (any Actor)?
        ) async throws -> WebSocketMessage? {
            try await handle.link.receiveMessage()
        }
    }
}
