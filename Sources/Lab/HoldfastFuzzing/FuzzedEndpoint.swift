import HoldfastTransport
import HoldfastWebSocket

/// One end of a fuzzed WebSocket connection. It records the effects of all input and checks each of them.
struct FuzzedEndpoint: ~Copyable {
    /// A complete message. Text is kept as bytes, so that invalid UTF-8 is not repaired.
    struct Message: Hashable {
        var kind: WebSocketPart.Kind
        var bytes: [UInt8]
    }

    private var machine: WebSocketMachine
    private var encoder: FrameEncoder
    private let settings: WebSocketSettings
    private let now = WebSocketInstant(nanoseconds: 0)

    /// All effects that the state machine returned, in order.
    private(set) var effects: [MachineEffect] = []
    /// The delivered messages. Messages that were delivered in parts are joined.
    private(set) var messages: [Message] = []
    /// Bytes to send to the peer.
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

    /// All effects except the delivery of messages and parts.
    var otherEffects: [MachineEffect] {
        effects.filter {
            switch $0 {
            case .deliver, .deliverPart: false
            default: true
            }
        }
    }

    /// The end of the connection; `nil` while it is open.
    var end: (closure: WebSocketClosure, error: WebSocketError?)? {
        for case .end(let closure, let error) in effects { return (closure, error) }
        return nil
    }

    /// Returns and removes the bytes to send to the peer.
    mutating func takeOutput() -> [UInt8] {
        defer { output = [] }
        return output
    }

    // MARK: Receiving

    /// Handles received bytes. The reader consumes all messages immediately.
    mutating func receive(_ bytes: ArraySlice<UInt8>) throws(BrokenPromise) {
        var rest = bytes
        repeat {
            let (step, taken) = rest.withUnsafeBytes { bytes in
                var input = bytes
                let step = machine.receive(&input, at: now)
                return (step, bytes.count - input.count)
            }
            rest = rest.dropFirst(taken)
            try BrokenPromise.unless(
                taken > 0 || !step.isEmpty || rest.isEmpty, "a step neither consumes input nor returns effects")
            try checkDelivery(step)
            try note(step)
            try checkHold()
        } while !rest.isEmpty
        try note(machine.readerCaughtUp(at: now))
    }

    /// Checks that one step delivers at most as many bytes as the buffer holds. Only the last delivery may exceed it.
    private func checkDelivery(_ step: [MachineEffect]) throws(BrokenPromise) {
        let sizes = step.compactMap { effect in
            switch effect {
            case .deliver(let message): message.byteCount + WebSocketLimits.messageOverhead
            case .deliverPart(let part): part.bytes.count + WebSocketLimits.messageOverhead
            default: nil
            }
        }
        // With parts, the last but one may exceed the buffer, because the end of a frame is delivered immediately.
        let kept = sizes.dropLast(settings.deliversParts ? 2 : 1).reduce(0, +)
        try BrokenPromise.unless(
            kept <= settings.limits.receiveBuffer, "a step continues after it delivered \(kept) bytes of messages")
    }

    /// Checks the memory in use. An array may allocate twice the size of its contents.
    private func checkHold() throws(BrokenPromise) {
        let small = 20 * 1024
        let limit = settings.deliversParts && !hasFailed ? small : 2 * settings.limits.maximumMessageSize + small
        try BrokenPromise.unless(
            machine.heldBytes <= limit, "the machine holds \(machine.heldBytes) bytes, more than \(limit)")
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
            try BrokenPromise.unless(!hasFailed && !hasEnded, "a message was delivered after the end")
            switch message {
            case .text(let text): try take(Message(kind: .text, bytes: Array(text.utf8)))
            case .binary(let bytes): try take(Message(kind: .binary, bytes: bytes))
            }
        case .deliverPart(let part):
            try BrokenPromise.unless(!hasFailed && !hasEnded, "a part was delivered after the end")
            var whole = message ?? Message(kind: part.kind, bytes: [])
            try BrokenPromise.unless(whole.kind == part.kind, "parts of two messages are interleaved")
            whole.bytes += part.bytes
            message = part.isLast ? nil : whole
            if part.isLast { try take(whole) }
        case .answered:
            try BrokenPromise.unless(!hasFailed && !hasEnded, "a pong was delivered after the end")
        case .transmit(let frame):
            try BrokenPromise.unless(frame.isFinal && frame.payload.count <= 125, "a control frame is too large")
            try BrokenPromise.unless(!hasEnded && !hasSentClose, "a frame was sent after the end")
            switch frame.opcode {
            case .pong: try BrokenPromise.unless(!hasFailed, "a ping was answered after a protocol violation")
            case .close: hasSentClose = true
            default: throw BrokenPromise("an unexpected frame was sent")
            }
            output += encoder.encode(frame)
        case .fail(let error):
            try BrokenPromise.unless(!hasFailed && !hasEnded, "the connection failed twice")
            try BrokenPromise.unless(error.violation != nil, "the error names no protocol violation: \(error)")
            hasFailed = true
        case .end(_, let error):
            try BrokenPromise.unless(!hasEnded, "the connection ended twice")
            try BrokenPromise.unless(hasFailed == (error != nil), "the end does not report the protocol violation")
            hasEnded = true
        case .closeOutput, .closeTransport, .cutTransport:
            try BrokenPromise.unless(hasEnded, "the socket was closed before the end was reported")
        }
    }

    private mutating func take(_ message: Message) throws(BrokenPromise) {
        try BrokenPromise.unless(
            message.bytes.count <= settings.limits.maximumMessageSize, "the message is larger than the limit")
        try BrokenPromise.unless(
            message.kind == .binary || String(validating: message.bytes, as: UTF8.self) != nil,
            "a text message that is not UTF-8 was accepted")
        messages.append(message)
    }

    // MARK: Sending

    /// Sends a message. Returns `false` if the connection is closed.
    mutating func send(_ message: Message) throws(BrokenPromise) -> Bool {
        let whole: WebSocketMessage =
            message.kind == .text ? .text(String(decoding: message.bytes, as: UTF8.self)) : .binary(message.bytes)
        do throws(ZlibFailure) {
            return write(try machine.send(whole))
        } catch {
            throw BrokenPromise("zlib failed: \(error)")
        }
    }

    /// Sends a part of a message. Returns `false` if the connection is closed.
    mutating func send(
        piece: ArraySlice<UInt8>, of kind: WebSocketPart.Kind, isLast: Bool
    ) throws(BrokenPromise) -> Bool {
        do throws(ZlibFailure) {
            return write(try machine.send(piece: .bytes(piece), of: kind, isLast: isLast))
        } catch {
            throw BrokenPromise("zlib failed: \(error)")
        }
    }

    /// Sends a ping. Returns `false` if the connection is closed.
    mutating func ping() -> Bool {
        guard case .sent(_, let frame) = machine.ping(at: now) else { return false }
        return write([frame])
    }

    /// Starts the closing handshake.
    mutating func close(_ code: WebSocketCloseCode, reason: String) throws(BrokenPromise) {
        try note(machine.close(code, reason: reason, at: now))
    }

    private mutating func write(_ frames: [OutboundFrame]?) -> Bool {
        for frame in frames ?? [] { output += encoder.encode(frame) }
        return frames != nil
    }
}
