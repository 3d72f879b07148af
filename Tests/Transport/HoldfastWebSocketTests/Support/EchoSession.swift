import HoldfastTestSupport
import HoldfastWebSocket
import Synchronization

/// One end of a connection whose app echoes messages, with a record of what the peer receives.
///
/// The app is slow: it runs after all data that was sent at once has been processed.
struct EchoSession: ~Copyable {
    /// An observation of the peer.
    enum Answer: Hashable {
        case text([UInt8])
        case binary([UInt8])
        case pong([UInt8])
        /// A close frame with its code; `nil` without a code.
        case close(UInt16?)

        static func text(_ text: String) -> Answer { .text(Array(text.utf8)) }
    }

    var machine: WebSocketMachine
    var now = WebSocketInstant(nanoseconds: 0)
    let wire: Wire
    /// The observations, in order. A fragmented message is recorded when it is complete.
    private(set) var answers: [Answer] = []
    /// Whether this end has closed its direction of the socket, or the whole socket.
    private(set) var isOver = false
    private var peer: MachineBench
    private var encoder: FrameEncoder
    private var inbox: [WebSocketMessage] = []

    init(
        _ role: WebSocketRole, _ settings: WebSocketSettings = WebSocketSettings(),
        peer peerSettings: WebSocketSettings = WebSocketSettings()
    ) {
        self.machine = WebSocketMachine(role: role, settings: settings, at: now)
        self.wire = Wire(sender: role.peer)
        self.peer = MachineBench(role.peer, peerSettings)
        let keys = Mutex(SeededGenerator(seed: 1))
        self.encoder = FrameEncoder(role: role, entropy: WebSocketEntropy { keys.withLock { $0.next() } })
    }

    /// Receives `bytes` from the peer, in pieces of `size`.
    mutating func receive(_ bytes: [UInt8], inPiecesOf size: Int = .max) {
        var rest = bytes[...]
        while !rest.isEmpty {
            carryOut(machine.receive(Array(rest.prefix(size)), at: now))
            rest = rest.dropFirst(size)
        }
        for message in inbox {
            for frame in (try? machine.send(message)) ?? [] { transmit(frame) }
        }
        inbox = []
        carryOut(machine.readerCaughtUp(at: now))
    }

    private mutating func carryOut(_ effects: [MachineEffect]) {
        for effect in effects {
            switch effect {
            case .transmit(let frame): transmit(frame)
            case .deliver(let message): inbox.append(message)
            case .closeOutput, .closeTransport, .cutTransport: isOver = true
            case .deliverPart, .answered, .fail, .end: break
            }
        }
    }

    private mutating func transmit(_ frame: OutboundFrame) {
        switch frame.opcode {
        case .pong: answers.append(.pong(frame.bytes))
        case .close:
            let bytes = frame.bytes
            answers.append(.close(bytes.count >= 2 ? UInt16(bytes[0]) << 8 | UInt16(bytes[1]) : nil))
        case .ping: break
        case .text, .binary, .continuation:
            // The peer has its own machine, which parses the encoded bytes.
            let known = peer.messages.count
            peer.receive(encoder.encode(frame))
            for message in peer.messages[known...] {
                switch message {
                case .text(let text): answers.append(.text(text))
                case .binary(let bytes): answers.append(.binary(bytes))
                }
            }
        }
    }
}
