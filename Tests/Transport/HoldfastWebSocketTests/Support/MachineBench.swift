import HoldfastWebSocket

/// A machine under test that records its effects.
struct MachineBench: ~Copyable {
    var machine: WebSocketMachine
    var effects: [MachineEffect] = []
    /// Whether the reader takes each message immediately.
    var readerKeepsUp = true
    var now = WebSocketInstant(nanoseconds: 1_000_000_000)
    let wire: Wire

    init(_ role: WebSocketRole, _ settings: WebSocketSettings = WebSocketSettings()) {
        self.machine = WebSocketMachine(role: role, settings: settings, at: now)
        self.wire = Wire(sender: role.peer)
    }

    mutating func receive(_ bytes: [UInt8]) {
        effects += machine.receive(bytes, at: now)
        if readerKeepsUp { effects += machine.readerCaughtUp(at: now) }
    }

    mutating func advance(_ duration: Duration) {
        now = now.advanced(by: duration)
        effects += machine.wake(at: now)
    }

    var messages: [WebSocketMessage] {
        effects.compactMap { if case .deliver(let message) = $0 { message } else { nil } }
    }

    var parts: [WebSocketPart] {
        effects.compactMap { if case .deliverPart(let part) = $0 { part } else { nil } }
    }

    var sent: [OutboundFrame] {
        effects.compactMap { if case .transmit(let frame) = $0 { frame } else { nil } }
    }

    var pongs: [[UInt8]] { sent.filter { $0.opcode == .pong }.map(\.bytes) }

    /// The codes of the sent close frames; `nil` for an empty one.
    var closes: [UInt16?] {
        sent.filter { $0.opcode == .close }.map { frame in
            let bytes = frame.bytes
            return bytes.count >= 2 ? UInt16(bytes[0]) << 8 | UInt16(bytes[1]) : nil
        }
    }

    var ends: [(closure: WebSocketClosure, error: WebSocketError?)] {
        effects.compactMap { if case .end(let closure, let error) = $0 { (closure, error) } else { nil } }
    }

    var violation: WebSocketError.Violation? { ends.first?.error?.violation }
}

extension WebSocketMachine {
    /// Processes all received bytes, regardless of the receive buffer.
    mutating func receive(_ bytes: [UInt8], at now: WebSocketInstant) -> [MachineEffect] {
        bytes.withUnsafeBytes { bytes in
            var input = bytes
            var effects = receive(&input, at: now)
            while !input.isEmpty { effects += receive(&input, at: now) }
            return effects
        }
    }
}
