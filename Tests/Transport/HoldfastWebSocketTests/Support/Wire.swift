import HoldfastWebSocket

/// Encodes frames by hand, including invalid ones, without the code under test.
struct Wire {
    /// The encoding of the length.
    enum LengthForm {
        case shortest, bits16, bits64
    }

    static let text: UInt8 = 1
    static let binary: UInt8 = 2
    static let continuation: UInt8 = 0
    static let close: UInt8 = 8
    static let ping: UInt8 = 9
    static let pong: UInt8 = 10

    /// The sender's role: a client masks.
    var sender: WebSocketRole

    static let key: [UInt8] = [0x37, 0xFA, 0x21, 0x3D]

    func frame(
        _ opcode: UInt8, _ payload: [UInt8] = [], final: Bool = true, reserved: UInt8 = 0,
        masked: Bool? = nil, form: LengthForm = .shortest
    ) -> [UInt8] {
        let masked = masked ?? (sender == .client)
        return Self.header(
            opcode, length: payload.count, final: final, reserved: reserved, masked: masked, form: form)
            + (masked ? payload.enumerated().map { $1 ^ Self.key[$0 % 4] } : payload)
    }

    func text(_ text: String, final: Bool = true) -> [UInt8] {
        frame(Self.text, Array(text.utf8), final: final)
    }

    func close(_ code: UInt16, _ reason: String = "") -> [UInt8] {
        frame(Self.close, [UInt8(code >> 8), UInt8(code & 0xFF)] + Array(reason.utf8))
    }

    static func header(
        _ opcode: UInt8, length: Int, final: Bool = true, reserved: UInt8 = 0, masked: Bool,
        form: LengthForm = .shortest
    ) -> [UInt8] {
        let first = (final ? 0x80 : 0) | reserved << 4 | opcode
        let mask: UInt8 = masked ? 0x80 : 0
        let bytes: [UInt8]
        switch form {
        case .shortest where length <= 125: bytes = [first, mask | UInt8(length)]
        case .shortest where length <= 65535: bytes = [first, mask | 126] + bigEndian(length, 2)
        case .bits16: bytes = [first, mask | 126] + bigEndian(length, 2)
        case .shortest, .bits64: bytes = [first, mask | 127] + bigEndian(length, 8)
        }
        return bytes + (masked ? key : [])
    }

    private static func bigEndian(_ value: Int, _ count: Int) -> [UInt8] {
        (0..<count).map { UInt8(truncatingIfNeeded: value >> (8 * (count - 1 - $0))) }
    }
}

extension ReceivingFailure {
    /// The violated rule; `nil` if zlib failed.
    var rule: WebSocketError.Violation? {
        if case .violation(let rule) = self { rule } else { nil }
    }
}
