public import HoldfastTransport
import Logging
import NIOCore
import Synchronization

/// An open WebSocket connection. Copies refer to the same connection and can be used from any thread.
///
/// When the last copy and all message sequences are released, the connection closes with code 1001 in the background.
public struct WebSocketConnection: Sendable {
    /// The facts of the underlying connection: the verdict on the server, TLS parameters and the peer's address.
    public let facts: ConnectionFacts
    /// The negotiated subprotocol, if any.
    public let subprotocol: String?
    /// Whether message compression was negotiated. Each end still decides for each message.
    public let usesDeflate: Bool
    let handle: WebSocketHandle

    /// The received messages, in order, for one reader at a time.
    ///
    /// If the reader is slow, the connection buffers up to ``WebSocketLimits/receiveBuffer`` and then stops reading
    /// from the socket, so the peer has to wait. Pongs and close frames are then delayed too.
    ///
    /// The sequence throws if the connection ended without a close handshake. The error is a ``WebSocketError``, or a
    /// `TransportError` with the code `trustRefused` and the verdict if a changed policy refuses the server.
    public var messages: WebSocketMessages { WebSocketMessages(handle: handle) }

    /// The received messages in parts, for messages that are too large for memory or must be processed before they are
    /// complete.
    ///
    /// Set ``WebSocketOptions/deliversParts`` to use this sequence. Set ``WebSocketLimits/maximumMessageSize``,
    /// ``WebSocketLimits/maximumFrameSize`` and ``WebSocketLimits/maximumFragments`` to the size of the largest
    /// message.
    ///
    /// This sequence and ``messages`` consume the same queue. Use one of them; switch only between two messages.
    public var parts: WebSocketParts { WebSocketParts(handle: handle) }

    /// Sends a message.
    ///
    /// Suspends while ``WebSocketLimits/sendBuffer`` is full. Messages are sent in the order of the calls. The method
    /// returns when the message is queued for the socket; only the peer's own answer can confirm its receipt.
    ///
    /// - Throws: ``WebSocketError/Code-swift.struct/closed`` if the connection is closed or closing, or the verdict if
    ///   a changed policy has ended it (see ``messages``). `CancellationError` if the task is cancelled before the
    ///   message was queued; the message is then not sent.
    public func send(_ message: WebSocketMessage) async throws {
        try await link.send(.message(message))
    }

    /// Sends one text message in pieces, so that it need not be in memory as a whole.
    ///
    /// Each piece that is not empty is sent as a fragment as soon as the send buffer has space. Until then, no further
    /// piece is requested from the sequence. Each piece counts towards the peer's fragment limit, so prefer pieces of
    /// about 64 KiB. With compression, each piece is compressed at once on the connection's event loop, so keep pieces
    /// below 256 KiB.
    ///
    /// Other messages wait until this one is complete. Pings, pongs and close frames do not wait. Sending another
    /// message from within the sequence deadlocks.
    ///
    /// - Throws: The errors of ``send(_:)`` and of the sequence. If part of the message was already sent, the
    ///   connection closes with code 1011, because the message cannot be completed.
    /// - Throws: As ``send(_:)``, and whatever the sequence throws. If something has gone out by then the connection is
    ///   closed with 1011, because half a message cannot be taken back.
    public func send<Pieces: AsyncSequence>(
        text pieces: Pieces, isolation: isolated (any Actor)? = #isolation
    ) async throws where Pieces.Element == String {
        try await link.send(pieces, kind: .text, payload: { .text($0) }, isolation: isolation)
    }

    /// Sends one binary message in pieces, like ``send(text:isolation:)``.
    public func send<Pieces: AsyncSequence>(
        binary pieces: Pieces, isolation: isolated (any Actor)? = #isolation
    ) async throws where Pieces.Element == [UInt8] {
        try await link.send(pieces, kind: .binary, payload: { .bytes($0[...]) }, isolation: isolation)
    }

    /// Sends a ping and waits for its pong, without a timeout of its own.
    ///
    /// - Returns: The round-trip time.
    /// - Throws: ``WebSocketError/Code-swift.struct/closed``, or the error that ended the connection, if the connection
    ///   ends first. ``WebSocketError/Code-swift.struct/tooManyPings`` if 64 pings are already waiting.
    ///   `CancellationError` if the task is cancelled.
    public func ping() async throws -> Duration {
        try await link.ping()
    }

    /// Closes the connection and waits until the socket is closed.
    ///
    /// Sends a close frame after all queued messages and waits for the peer's close frame, at most for the close
    /// timeout. New messages are dropped; messages that already wait for the reader are still delivered. If the
    /// connection is already closing or closed, the method only waits. If the task is cancelled, the connection is cut.
    ///
    /// - Parameters:
    ///   - code: The close code. ``WebSocketCloseCode/noStatus`` sends a close frame without a code.
    ///     ``WebSocketCloseCode/abnormal`` and ``WebSocketCloseCode/tlsFailure`` cut the connection immediately.
    ///   - reason: A text for the peer's log, truncated to 123 bytes of UTF-8 at a character boundary.
    public func close(_ code: WebSocketCloseCode = .normal, reason: String = "") async {
        await link.close(code, reason: reason)
    }

    /// How the connection ended; `nil` while it is open.
    public var closure: WebSocketClosure? {
        link.state.withLock { $0.closure }
    }

    var link: WebSocketLink { handle.link }
}

extension WebSocketConnection {
    /// The components of one end of a connection.
    struct Parts: Sendable {
        var role: WebSocketRole
        var settings: WebSocketSettings
        var entropy: WebSocketEntropy
        var subprotocol: String?
        var facts: ConnectionFacts
        var logger: Logger?
    }

    /// Adds the WebSocket handler to a channel's pipeline, which carries frames from then on. Call this method on the
    /// channel's event loop.
    ///
    /// - Parameters:
    ///   - leftOver: The bytes after the head of the upgrade.
    ///   - position: The position of the handler; by default at the end.
    static func install(
        on channel: any Channel, _ parts: Parts, leftOver: ByteBuffer? = nil,
        position: ChannelPipeline.SynchronousOperations.Position = .last
    ) throws -> WebSocketConnection {
        let link = WebSocketLink(eventLoop: channel.eventLoop, limits: parts.settings.limits)
        let now = WebSocketInstant(nanoseconds: Int64(clamping: channel.eventLoop.now.uptimeNanoseconds))
        let handler = WebSocketChannelHandler(
            machine: WebSocketMachine(role: parts.role, settings: parts.settings, at: now),
            encoder: FrameEncoder(role: parts.role, entropy: parts.entropy), link: link, logger: parts.logger)
        try channel.pipeline.syncOperations.addHandler(handler, position: position)
        if let leftOver, leftOver.readableBytes > 0 {
            handler.receive(leftOver)
        }
        return WebSocketConnection(
            facts: parts.facts, subprotocol: parts.subprotocol,
            usesDeflate: parts.settings.deflate != nil, handle: WebSocketHandle(link: link))
    }
}

/// The app's reference to a connection. Releasing the last one closes the connection.
final class WebSocketHandle: Sendable {
    let link: WebSocketLink

    init(link: WebSocketLink) {
        self.link = link
    }

    deinit {
        link.dropped()
    }
}
