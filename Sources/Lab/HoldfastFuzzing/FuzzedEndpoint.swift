import HoldfastTransport
import HoldfastWebSocket

/// One end of a WebSocket connection under fire: bytes in, effects written down, and each of them looked at.
struct FuzzedEndpoint: ~Copyable {
    /// A whole message; its text as bytes, so that nothing is repaired on the way.
    struct Message: Hashable {
        var kind: WebSocketPart.Kind
        var bytes: [UInt8]
    }

    private var machine: WebSocketMachine
    private var encoder: FrameEncoder
    private let settings: WebSocketSettings
    private let now = WebSocketInstant(nanoseconds: 0)

    /// What the machine asked for, in order.
    private(set) var effects: [MachineEffect] = []
    /// The messages that were delivered, put together where they came in parts.
    private(set) var messages: [Message] = []
    /// What goes to the peer.
    private var output: [UInt8] = []
    private var message: Message?
    private var hasFailed = false
    private var hasEnded = false
    private var hasSentClose = false

    init(_ role: WebSocketRole, _ settings: WebSocketSettings) {
        self.settings = settings
        self.machine = WebSocketMachine(role: role, settings: settings, at: now)
        self.encoder = FrameEncoder(role: role, entropy: WebSocketEntropy { 0x1234_5678_9ABC_DEF0 })
    }

    /// All effects but the delivery of messages and their parts.
    var otherEffects: [MachineEffect] {
        effects.filter {
            switch $0 {
            case .deliver, .deliverPart: false
            default: true
            }
        }
    }

    /// How the connection ended, if it has.
    var end: (closure: WebSocketClosure, error: WebSocketError?)? {
        for case .end(let closure, let error) in effects { return (closure, error) }
        return nil
    }

    /// What goes to the peer since the last time.
    mutating func takeOutput() -> [UInt8] {
        defer { output = [] }
        return output
    }

    // MARK: Receiving

    /// Bytes arrive; the reader takes all messages at once.
    mutating func receive(_ bytes: ArraySlice<UInt8>) throws(BrokenPromise) {
        var rest = bytes
        repeat {
            let (step, taken) = rest.withUnsafeBytes { bytes in
                var input = bytes
                let step = machine.receive(&input, at: now)
                return (step, bytes.count - input.count)
            }
            rest = rest.dropFirst(taken)
            try BrokenPromise.unless(taken > 0 || !step.isEmpty || rest.isEmpty, "a step neither takes nor gives")
            try checkDelivery(step)
            try note(step)
            try checkHold()
        } while !rest.isEmpty
        try note(machine.readerCaughtUp(at: now))
    }

    /// One step hands on no more than the buffer holds; what passes it is the last of the step.
    private func checkDelivery(_ step: [MachineEffect]) throws(BrokenPromise) {
        let sizes = step.compactMap { effect in
            switch effect {
            case .deliver(let message): message.byteCount + WebSocketLimits.messageOverhead
            case .deliverPart(let part): part.bytes.count + WebSocketLimits.messageOverhead
            default: nil
            }
        }
        // A part that passes it may be the last but one: the end of the frame does not wait.
        let kept = sizes.dropLast(settings.deliversParts ? 2 : 1).reduce(0, +)
        try BrokenPromise.unless(
            kept <= settings.limits.receiveBuffer, "a step goes on after \(kept) bytes of messages")
    }

    /// The memory that is held: an array takes at most twice what is in it.
    private func checkHold() throws(BrokenPromise) {
        let small = 20 * 1024
        let limit = settings.deliversParts && !hasFailed ? small : 2 * settings.limits.maximumMessageSize + small
        try BrokenPromise.unless(machine.heldBytes <= limit, "\(machine.heldBytes) bytes are held, not \(limit)")
    }

    private mutating func note(_ step: [MachineEffect]) throws(BrokenPromise) {
        for effect in step {
            effects.append(effect)
            try check(effect)
        }
    }

    private mutating func check(_ effect: MachineEffect) throws(BrokenPromise) {
        switch effect {
        case .deliver(let message):
            try BrokenPromise.unless(!hasFailed && !hasEnded, "a message comes behind the end")
            switch message {
            case .text(let text): try take(Message(kind: .text, bytes: Array(text.utf8)))
            case .binary(let bytes): try take(Message(kind: .binary, bytes: bytes))
            }
        case .deliverPart(let part):
            try BrokenPromise.unless(!hasFailed && !hasEnded, "a part comes behind the end")
            var whole = message ?? Message(kind: part.kind, bytes: [])
            try BrokenPromise.unless(whole.kind == part.kind, "the parts of two messages mix")
            whole.bytes += part.bytes
            message = part.isLast ? nil : whole
            if part.isLast { try take(whole) }
        case .answered:
            try BrokenPromise.unless(!hasFailed && !hasEnded, "a pong comes behind the end")
        case .transmit(let frame):
            try BrokenPromise.unless(frame.isFinal && frame.payload.count <= 125, "a control frame is too large")
            try BrokenPromise.unless(!hasEnded && !hasSentClose, "a frame is sent behind the end")
            switch frame.opcode {
            case .pong: try BrokenPromise.unless(!hasFailed, "a ping is answered behind a violation")
            case .close: hasSentClose = true
            default: throw BrokenPromise("a frame is sent that nobody asked for")
            }
            output += encoder.encode(frame)
        case .fail(let error):
            try BrokenPromise.unless(!hasFailed && !hasEnded, "a connection fails twice")
            try BrokenPromise.unless(error.violation != nil, "a peer is blamed for nothing: \(error)")
            hasFailed = true
        case .end(_, let error):
            try BrokenPromise.unless(!hasEnded, "a connection ends twice")
            try BrokenPromise.unless(hasFailed == (error != nil), "the end does not tell of the violation")
            hasEnded = true
        case .closeOutput, .closeTransport, .cutTransport:
            try BrokenPromise.unless(hasEnded, "the socket is closed before the end is told")
        }
    }

    private mutating func take(_ message: Message) throws(BrokenPromise) {
        try BrokenPromise.unless(
            message.bytes.count <= settings.limits.maximumMessageSize, "a message is larger than the limit")
        try BrokenPromise.unless(
            message.kind == .binary || String(validating: message.bytes, as: UTF8.self) != nil,
            "a text was accepted that is not UTF-8")
        messages.append(message)
    }

    // MARK: Sending

    /// Sends a message. `false`: the connection is closed.
    mutating func send(_ message: Message) throws(BrokenPromise) -> Bool {
        let whole: WebSocketMessage =
            message.kind == .text ? .text(String(decoding: message.bytes, as: UTF8.self)) : .binary(message.bytes)
        do throws(ZlibFailure) {
            return write(try machine.send(whole))
        } catch {
            throw BrokenPromise("zlib fails: \(error)")
        }
    }

    /// Sends a piece of a message. `false`: the connection is closed.
    mutating func send(
        piece: ArraySlice<UInt8>, of kind: WebSocketPart.Kind, isLast: Bool
    ) throws(BrokenPromise) -> Bool {
        do throws(ZlibFailure) {
            return write(try machine.send(piece: .bytes(piece), of: kind, isLast: isLast))
        } catch {
            throw BrokenPromise("zlib fails: \(error)")
        }
    }

    /// Sends a ping. `false`: that is not possible.
    mutating func ping() -> Bool {
        guard case .sent(_, let frame) = machine.ping(at: now) else { return false }
        return write([frame])
    }

    /// Begins to close.
    mutating func close(_ code: WebSocketCloseCode, reason: String) throws(BrokenPromise) {
        try note(machine.close(code, reason: reason, at: now))
    }

    private mutating func write(_ frames: [OutboundFrame]?) -> Bool {
        for frame in frames ?? [] { output += encoder.encode(frame) }
        return frames != nil
    }
}
