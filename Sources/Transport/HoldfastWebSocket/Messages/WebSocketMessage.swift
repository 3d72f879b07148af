/// One whole message.
public enum WebSocketMessage: Hashable, Sendable {
    /// Text; what arrives has been checked to be valid UTF-8.
    case text(String)
    /// Any bytes.
    case binary([UInt8])

    /// The number of bytes of payload.
    public var byteCount: Int {
        switch self {
        case .text(let text): text.utf8.count
        case .binary(let bytes): bytes.count
        }
    }
}

/// A part of a message, as it arrives.
public struct WebSocketPart: Hashable, Sendable {
    /// What a message is.
    public enum Kind: Hashable, Sendable {
        /// UTF-8.
        case text
        /// Any bytes.
        case binary
    }

    /// What the message is.
    public var kind: Kind
    /// The bytes. Those of a text have been checked to be valid UTF-8 so far; a part may end within a character. Only the
    /// last part of a message, or the only one, may be empty.
    public var bytes: [UInt8]
    /// Whether the message ends with this part.
    public var isLast: Bool

    /// Makes a part.
    public init(kind: Kind, bytes: [UInt8], isLast: Bool) {
        self.kind = kind
        self.bytes = bytes
        self.isLast = isLast
    }
}

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
