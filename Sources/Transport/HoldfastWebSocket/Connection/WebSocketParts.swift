/// The messages of a connection as they arrive, part by part, so that a large one need not fit into memory.
///
/// A message is as many parts as it takes, the last of them marked; the parts of different messages do not mix. Where
/// ``WebSocketOptions/deliversParts`` is off every message is one part. It ends and throws like ``WebSocketMessages``; where
/// it ends without a last part, the message was cut off.
public struct WebSocketParts: AsyncSequence, Sendable {
    public typealias Element = WebSocketPart
    public typealias Failure = any Error

    private let handle: WebSocketHandle

    init(handle: WebSocketHandle) {
        self.handle = handle
    }

    public func makeAsyncIterator() -> Iterator {
        Iterator(handle: handle)
    }

    /// Takes one part after the other. A later iterator goes on where an earlier one stopped.
    public struct Iterator: AsyncIteratorProtocol {
        private let handle: WebSocketHandle

        init(handle: WebSocketHandle) {
            self.handle = handle
        }

        /// The next part; `nil` when there are no more. When the task is cancelled it throws `CancellationError`; no part is
        /// lost by it.
        public mutating func next() async throws -> WebSocketPart? {
            try await handle.link.receivePart()
        }

        /// The next part; `nil` when there are no more.
        public mutating func next(
            isolation actor: isolated (any Actor)?
        ) async throws -> WebSocketPart? {
            try await handle.link.receivePart()
        }
    }
}
