public import HoldfastTransport
import Logging
import NIOCore
import Synchronization

/// An open WebSocket connection. A cheap value: all copies mean the same connection, from any thread.
///
/// When the last copy is gone, and with it all sequences of messages, the connection is closed with code 1001 in the
/// background.
public struct WebSocketConnection: Sendable {
    /// About the connection below: the verdict on the server, TLS, the address of the other end.
    public let facts: ConnectionFacts
    /// The subprotocol that both ends agreed on, if any.
    public let subprotocol: String?
    /// Whether both ends agreed on compressing messages. Each end still decides for each message.
    public let usesDeflate: Bool
    private let handle: WebSocketHandle

    init(facts: ConnectionFacts, subprotocol: String?, usesDeflate: Bool, handle: WebSocketHandle) {
        self.facts = facts
        self.subprotocol = subprotocol
        self.usesDeflate = usesDeflate
        self.handle = handle
    }

    /// The messages that arrive, in order, for one reader at a time.
    ///
    /// While the reader is slow nothing more than ``WebSocketLimits/receiveBuffer`` is kept; then the socket is not
    /// read any more, and the peer has to wait. Pongs and close frames wait behind the messages, too.
    ///
    /// The sequence throws what ended the connection, if that was no close handshake: a ``WebSocketError``, or a
    /// `TransportError` with the code `trustRefused` and the verdict where a changed policy refuses the server.
    public var messages: WebSocketMessages { WebSocketMessages(handle: handle) }

    /// The messages that arrive, in parts: for those that are too large to be kept whole, or are to be worked on before
    /// their end. Set ``WebSocketOptions/deliversParts`` for it, and all three of
    /// ``WebSocketLimits/maximumMessageSize``, ``WebSocketLimits/maximumFrameSize`` and
    /// ``WebSocketLimits/maximumFragments`` to what one message may be.
    ///
    /// It takes from the same place as ``messages``. Use the one or the other; between two messages one may change over.
    public var parts: WebSocketParts { WebSocketParts(handle: handle) }

    /// Sends a message. Suspends while ``WebSocketLimits/sendBuffer`` is full, and returns when the message is on its
    /// way to the socket, in the order of the calls. That the peer has got it only its own answer can say.
    ///
    /// - Throws: ``WebSocketError/Code-swift.struct/closed`` when the connection is closed or closing, the verdict (see
    ///   ``messages``) when a changed policy has ended it,
    ///   `CancellationError` when the task is cancelled before the message was taken; it is not sent then.
    public func send(_ message: WebSocketMessage) async throws {
        try await link.send(.message(message))
    }

    /// Sends one text in pieces, so that it need not be there whole. Each piece that is not empty goes out as soon as there
    /// is room in the send buffer, as a fragment; while there is none the sequence is not asked for more. Each counts among
    /// the fragments that the peer allows, so pieces of some 64 KiB are better than many small ones. Where messages are
    /// compressed a piece is, in one go, on the connection's event loop: keep it below 256 KiB.
    ///
    /// Other messages wait until this one is complete; pings, pongs and a close frame do not. Sending another message from
    /// within the sequence would wait for itself.
    ///
    /// - Throws: As ``send(_:)``, and whatever the sequence throws. If something has gone out by then the connection is
    ///   closed with 1011, because half a message cannot be taken back.
    public func send<Pieces: AsyncSequence>(
        text pieces: Pieces, isolation: isolated (any Actor)? = #isolation
    ) async throws where Pieces.Element == String {
        try await link.send(pieces, kind: .text, payload: { .text($0) }, isolation: isolation)
    }

    /// Sends one binary message in pieces, as ``send(text:isolation:)`` does with text.
    public func send<Pieces: AsyncSequence>(
        binary pieces: Pieces, isolation: isolated (any Actor)? = #isolation
    ) async throws where Pieces.Element == [UInt8] {
        try await link.send(pieces, kind: .binary, payload: { .bytes($0[...]) }, isolation: isolation)
    }

    /// Sends a ping and waits for its pong.
    ///
    /// - Returns: The time between the two.
    /// - Throws: ``WebSocketError/Code-swift.struct/closed`` or the error that ended the connection when the pong
    ///   cannot come any more, ``WebSocketError/Code-swift.struct/tooManyPings`` when 64 wait already,
    ///   `CancellationError`. It has no time-out of its own.
    public func ping() async throws -> Duration {
        try await link.ping()
    }

    /// Closes the connection: sends a close frame behind all messages sent so far, waits for the peer's, and returns
    /// when the socket is closed, at the latest after the time-out for closing. Messages that arrive meanwhile are
    /// dropped; those that wait for their reader are still delivered. Closing again, or a connection that has ended,
    /// only waits. When the task is cancelled, the connection is cut.
    ///
    /// - Parameters:
    ///   - code: Why. ``WebSocketCloseCode/noStatus`` sends a close frame without code; ``WebSocketCloseCode/abnormal``
    ///     and ``WebSocketCloseCode/tlsFailure`` cut the connection at once.
    ///   - reason: A text for the peer's log. Cut to 123 bytes of UTF-8 at the end of a character.
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
    /// What one end of a connection is made of.
    struct Parts: Sendable {
        var role: WebSocketRole
        var settings: WebSocketSettings
        var entropy: WebSocketEntropy
        var subprotocol: String?
        var facts: ConnectionFacts
        var logger: Logger?
    }

    /// Puts the handler into a channel's pipeline, from where on bytes are frames. On the channel's event loop.
    ///
    /// - Parameters:
    ///   - leftOver: Bytes that came behind the head of the upgrade.
    ///   - position: Where the handler goes; at the end if nothing is said.
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

/// What the program holds of a connection. When nobody holds it any more, the connection is closed.
final class WebSocketHandle: Sendable {
    let link: WebSocketLink

    init(link: WebSocketLink) {
        self.link = link
    }

    deinit {
        link.dropped()
    }
}
