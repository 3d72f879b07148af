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

/// An event of the chat. See ``ChatCenterUISDK/events``.
public enum ChatCenterEvent: Sendable {
    /// The configuration and the history of the authorized user are available.
    case authorized(identifier: String)
    /// The configuration or the history could not be fetched.
    case authorizationFailed(ChatAuthorizationError)
    /// The state of the connection changed.
    case connection(ChatConnection)
    /// The number of unread messages changed.
    case unreadMessages(Int)
    /// A REST call, a file transfer or the socket failed.
    case networkError(ChatNetworkError)
    /// The state of one of the user's messages changed.
    case messageState(MessageID, ChatMessageState)
    /// The other side sent messages, which the screen now contains.
    case messagesReceived([MessageID])
    /// Missed messages were fetched: the number of those from the other side.
    case gapFilled(Int)
    /// The server no longer knows where the history on this device ends. The history was fetched again from the newest
    /// message back, and older parts may be incomplete.
    case historyReset
    /// The server does not accept the token, and there is no new one. Authorize the user again.
    case reauthorizationNeeded(ServerRefusal?)
    /// The app's ``ChatTokenProvider`` threw this error. ``reauthorizationNeeded(_:)`` follows.
    case tokenProviderFailed(any Error)
    /// The settings in effect changed.
    case configuration(EffectiveConfiguration)
}

/// The state of the connection to the chat server.
public struct ChatConnection: Hashable, Sendable {
    /// The phase of the connection.
    public var phase: ChatConnectionState
    /// The rule by which the server is trusted.
    public var security: ChatConnectionSecurity
}
