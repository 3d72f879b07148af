/// One end of a WebSocket connection as a value: bytes and wishes go in with the time, frames and messages come out.
///
/// It does no I/O and reads no clock. Whoever drives it calls one method at a time, carries the effects out in order,
/// and calls ``wake(at:)`` when the time given by ``nextWake`` has come.
///
/// There is one owner: compression keeps memory of its own, which cannot be copied.
package struct WebSocketMachine: ~Copyable {
    /// Where the connection stands (RFC 6455, 7.1).
    enum State: Hashable, Sendable {
        /// Messages go both ways. Next: `failing`, `closing`, `lingering` or `closed`.
        case open
        /// The peer has broken the protocol. What it sends is not looked at any more, but messages that came before may be
        /// answered until `deadline`. Next: `lingering` or `closed`.
        case failing(WebSocketError, WebSocketClosure, deadline: WebSocketInstant)
        /// Our close frame is out, the peer's has not come; it has until `deadline`. Next: `lingering` or `closed`.
        case closing(deadline: WebSocketInstant)
        /// Nothing is sent or looked at any more; the socket's end is awaited until `deadline`. Next: `closed`.
        case lingering(deadline: WebSocketInstant)
        /// The socket is gone, or about to go.
        case closed
    }

    /// A ping that waits.
    struct PendingPing: Hashable, Sendable {
        var id: PingID
        var sentAt: WebSocketInstant
    }

    let role: WebSocketRole
    let settings: WebSocketSettings
    var parser: FrameParser
    var assembler: MessageAssembler
    var deflater: Deflater
    /// Whether a message that is sent in pieces has begun and not ended.
    var isSendingPieces = false
    var state = State.open
    /// How the connection ended, from the moment on when that is settled.
    var closure: WebSocketClosure?
    /// What was asked for by ``close(_:reason:at:)``.
    var closeRequest: CloseFrame?

    var nextPing: UInt64
    var pings: [PendingPing] = []
    /// The pong that waits for a full socket. Only the latest ping is answered then (RFC 6455, 5.5.3), so a flood costs
    /// nothing.
    var heldPong: [UInt8]?
    var isWritable = true

    /// Whether the driver has stopped to read because the reader is slow. Silence means nothing then.
    var isPaused = false
    var lastSign: WebSocketInstant
    var keepAlivePing: WebSocketInstant?

    /// Makes a machine for a connection whose upgrade was just completed.
    ///
    /// - Parameter firstPing: What the first ping carries; the next ones count up.
    package init(role: WebSocketRole, settings: WebSocketSettings, at now: WebSocketInstant, firstPing: UInt64 = 1) {
        self.role = role
        self.settings = settings
        self.parser = FrameParser(
            receiver: role, maximumLength: settings.limits.maximumFrameSize,
            allowsCompression: settings.deflate != nil)
        self.assembler = MessageAssembler(
            limits: settings.limits, deflate: settings.deflate, deliversParts: settings.deliversParts)
        self.deflater = Deflater(
            windowBits: settings.deflate?.sendingWindowBits ?? 15,
            keepsContext: settings.deflate?.keepsSendingContext ?? false, level: settings.deflate?.level ?? 6)
        self.nextPing = firstPing
        self.lastSign = now
    }

    /// Whether memory is taken for compression.
    package var holdsCompression: Bool { deflater.isAllocated || assembler.holdsInflater }

    /// The memory, in bytes, that is taken by what has arrived and was not handed on: the header and the message in progress,
    /// a control frame, and the pong that waits. zlib's is not counted; see ``holdsCompression``.
    package var heldBytes: Int { parser.heldBytes + assembler.heldBytes + (heldPong?.capacity ?? 0) }

    /// Whether messages go both ways.
    package var isOpen: Bool { state == .open }

    /// Whether messages can be sent.
    package var canSend: Bool {
        switch state {
        case .open, .failing: true
        case .closing, .lingering, .closed: false
        }
    }

    /// Whether what arrives is dropped unread: the reader must not hold up the socket's end then.
    package var discardsMessages: Bool { state != .open }

    /// The time at which ``wake(at:)`` has something to do; `nil`: never. It may move without an event being given, and
    /// only to later times while the connection is open, so a timer may be armed late but never twice.
    package var nextWake: WebSocketInstant? {
        switch state {
        case .open:
            guard let keepAlive = settings.keepAlive, !isPaused else { return nil }
            if let keepAlivePing { return keepAlivePing.advanced(by: keepAlive.timeout) }
            return lastSign.advanced(by: keepAlive.interval)
        case .closing(let deadline), .lingering(let deadline), .failing(_, _, let deadline):
            return deadline
        case .closed:
            return nil
        }
    }
}
