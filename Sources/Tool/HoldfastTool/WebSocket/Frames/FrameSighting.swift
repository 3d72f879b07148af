import HoldfastWebSocket

/// A frame that went by.
struct FrameSighting: Hashable, Sendable {
    /// Which way it went.
    enum Direction: String, Hashable, Sendable {
        /// From the server.
        case incoming = "in"
        /// To the server.
        case outgoing = "out"
    }

    var direction: Direction
    var opcode: FrameOpcode
    /// Whether it is the last of its message.
    var isFinal: Bool
    /// Whether it begins a compressed message.
    var isCompressed: Bool
    /// The bytes of its payload, as they are on the wire: compressed ones where the message is.
    var length: Int
    /// The payload of a control frame, unmasked; empty for another one.
    var payload: [UInt8] = []
}

extension FrameOpcode {
    /// The name in RFC 6455, 11.8.
    var name: String {
        switch self {
        case .continuation: "continuation"
        case .text: "text"
        case .binary: "binary"
        case .close: "close"
        case .ping: "ping"
        case .pong: "pong"
        }
    }
}
