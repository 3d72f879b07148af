/// The received messages of a connection, as an asynchronous sequence.
///
/// The sequence ends when the peer has closed the connection properly, with any code, or when this end has closed it.
/// ``WebSocketConnection/closure`` contains the code. It throws a ``WebSocketError`` if the peer violated the protocol,
/// exceeded a limit, stopped responding or disconnected. If two tasks read at the same time, the second one receives an
/// error.
public struct WebSocketMessages: AsyncSequence, Sendable {
    /// A whole message.
    public typealias Element = WebSocketMessage
    /// Any error that can end a connection.
    public typealias Failure = any Error

    let handle: WebSocketHandle

    /// Makes an iterator over the messages that have not been read yet.
    public func makeAsyncIterator() -> Iterator {
        Iterator(handle: handle)
    }

    /// Reads one message after the other. A later iterator continues where an earlier one stopped.
    public struct Iterator: AsyncIteratorProtocol {
        let handle: WebSocketHandle

        /// Returns the next message, or `nil` at the end. If the task is cancelled, it throws `CancellationError`, and
        /// no message is lost.
        public mutating func next() async throws -> WebSocketMessage? {
            try await handle.link.receiveMessage()
        }

        /// Returns the next message, or `nil` at the end.
        public mutating func next(
            isolation actor: isolated (any Actor)?
        ) async throws -> WebSocketMessage? {
            try await handle.link.receiveMessage()
        }
    }
}

/// A complete WebSocket message.
public enum WebSocketMessage: Hashable, Sendable {
    /// A text message. Received text has been validated as UTF-8.
    case text(String)
    /// A binary message.
    case binary([UInt8])

    /// The payload size in bytes.
    public var byteCount: Int {
        switch self {
        case .text(let text): text.utf8.count
        case .binary(let bytes): bytes.count
        }
    }
}

/// The received messages of a connection in parts, so that a large message need not fit into memory.
///
/// A message consists of one or more parts, and the last one is marked. Parts of different messages do not interleave.
/// If ``WebSocketOptions/deliversParts`` is off, every message is one part. The sequence ends and throws like
/// ``WebSocketMessages``. If it ends without a last part, the message was truncated.
public struct WebSocketParts: AsyncSequence, Sendable {
    /// A part of a message.
    public typealias Element = WebSocketPart
    /// Any error that can end a connection.
    public typealias Failure = any Error

    let handle: WebSocketHandle

    /// Makes an iterator over the parts that have not been read yet.
    public func makeAsyncIterator() -> Iterator {
        Iterator(handle: handle)
    }

    /// Reads one part after the other. A later iterator continues where an earlier one stopped.
    public struct Iterator: AsyncIteratorProtocol {
        let handle: WebSocketHandle

        /// Returns the next part, or `nil` at the end. If the task is cancelled, it throws `CancellationError`, and no
        /// part is lost.
        public mutating func next() async throws -> WebSocketPart? {
            try await handle.link.receivePart()
        }

        /// Returns the next part, or `nil` at the end.
        public mutating func next(
            isolation actor: isolated (any Actor)?
        ) async throws -> WebSocketPart? {
            try await handle.link.receivePart()
        }
    }
}

/// A part of a message as it arrives.
public struct WebSocketPart: Hashable, Sendable {
    /// The type of a message.
    public enum Kind: Hashable, Sendable {
        /// UTF-8 text.
        case text
        /// Binary data.
        case binary
    }

    /// The type of the message.
    public var kind: Kind
    /// The bytes of the part. The text so far has been validated as UTF-8, but a part may end within a character. Only
    /// the last part of a message may be empty.
    public var bytes: [UInt8]
    /// Whether this part is the last one of its message.
    public var isLast: Bool

    /// Makes a part from its type and its bytes.
    public init(kind: Kind, bytes: [UInt8], isLast: Bool) {
        self.kind = kind
        self.bytes = bytes
        self.isLast = isLast
    }
}
