import HoldfastWebSocket

/// A slow and simple reader for a session: all bytes at once, frame by frame, without any of the code under test.
///
/// It does not support compression: it stops at the first compressed frame.
struct WebSocketReference {
    enum Event: Hashable {
        case text([UInt8])
        case binary([UInt8])
        case ping([UInt8])
    }

    enum Ending: Hashable {
        /// The bytes so far contain no violation.
        case open
        /// A close frame, with its payload.
        case closed([UInt8])
        /// A protocol violation, or more than a limit permits.
        case violated(closeCode: UInt16)
        /// The rest is compressed.
        case unknown
    }

    private(set) var events: [Event] = []
    private(set) var ending = Ending.open

    init(_ bytes: [UInt8], receiver: WebSocketRole, settings: WebSocketSettings) {
        var reader = Reader(bytes: bytes, receiver: receiver, settings: settings)
        while let frame = reader.next() { events += frame }
        ending = reader.ending
    }

    private struct Reader {
        let bytes: [UInt8]
        let receiver: WebSocketRole
        let settings: WebSocketSettings
        var position = 0
        var message: (isText: Bool, bytes: [UInt8], fragments: Int)?
        var ending = Ending.open

        /// Returns the events of the next frame; `nil` if there is none, or if it ends the session.
        mutating func next() -> [Event]? {
            guard position < bytes.count else { return nil }
            let first = bytes[position]
            let opcode = first & 0x0F
            let isFinal = first & 0x80 != 0
            let isControl = opcode & 8 != 0
            let known: [UInt8] = [0, 1, 2, 8, 9, 10]
            if settings.deflate != nil, first & 0x70 == 0x40, opcode == 1 || opcode == 2 { return stop(.unknown) }
            guard first & 0x70 == 0, known.contains(opcode), isFinal || !isControl else { return violation(1002) }
            guard let second = byte(1) else { return nil }
            let isMasked = second & 0x80 != 0
            guard isMasked == (receiver == .server), !isControl || second & 0x7F < 126 else { return violation(1002) }
            var size = 2
            var length = UInt64(second & 0x7F)
            if length >= 126 {
                let count = length == 126 ? 2 : 8
                if count == 8, let top = byte(2), top & 0x80 != 0 { return violation(1002) }
                guard let digits = slice(2, count) else { return nil }
                length = digits.reduce(0) { $0 << 8 | UInt64($1) }
                guard length > (count == 2 ? 125 : 65_535) else { return violation(1002) }
                size += count
            }
            guard isControl || length <= UInt64(settings.limits.maximumFrameSize) else { return violation(1009) }
            var key: [UInt8] = [0, 0, 0, 0]
            if isMasked {
                guard let bytes = slice(size, 4) else { return nil }
                key = bytes
                size += 4
            }
            let start = position + size
            let payload = bytes[start..<min(bytes.count, start + Int(length))].enumerated().map { $1 ^ key[$0 % 4] }
            position = start + payload.count
            let isComplete = payload.count == Int(length)
            if isControl { return isComplete ? control(opcode, payload) : nil }
            return data(opcode, isFinal: isFinal, length: Int(length), payload, isComplete: isComplete)
        }

        private mutating func control(_ opcode: UInt8, _ payload: [UInt8]) -> [Event]? {
            switch opcode {
            case 9: return [.ping(payload)]
            case 10: return []
            default: break
            }
            guard !payload.isEmpty else { return stop(.closed([])) }
            guard payload.count >= 2 else { return violation(1002) }
            let code = UInt16(payload[0]) << 8 | UInt16(payload[1])
            let allowed = [1000...1003, 1007...1014, 3000...4999] as [ClosedRange<UInt16>]
            guard allowed.contains(where: { $0.contains(code) }) else { return violation(1002) }
            guard String(validating: payload[2...], as: UTF8.self) != nil else { return violation(1007) }
            return stop(.closed(payload))
        }

        private mutating func data(
            _ opcode: UInt8, isFinal: Bool, length: Int, _ payload: [UInt8], isComplete: Bool
        ) -> [Event]? {
            guard (opcode == 0) == (message != nil) else { return violation(1002) }
            var current = message ?? (opcode == 1, [], 0)
            current.fragments += 1
            guard current.fragments <= settings.limits.maximumFragments,
                current.bytes.count + length <= settings.limits.maximumMessageSize
            else { return violation(1009) }
            current.bytes += payload
            guard !current.isText || Self.canBecomeText(current.bytes) else { return violation(1007) }
            message = current
            guard isComplete else { return nil }
            guard isFinal else { return [] }
            message = nil
            guard current.isText else { return [.binary(current.bytes)] }
            guard String(validating: current.bytes, as: UTF8.self) != nil else { return violation(1007) }
            return [.text(current.bytes)]
        }

        /// Whether the bytes are UTF-8 text, or can become it with further bytes.
        private static func canBecomeText(_ bytes: [UInt8]) -> Bool {
            var endings: [[UInt8]] = [[]]
            for first: UInt8 in [0x80, 0x90, 0xA0] {
                endings += [[first], [first, 0x80], [first, 0x80, 0x80]]
            }
            return endings.contains { String(validating: bytes + $0, as: UTF8.self) != nil }
        }

        private func byte(_ offset: Int) -> UInt8? {
            position + offset < bytes.count ? bytes[position + offset] : nil
        }

        private func slice(_ offset: Int, _ count: Int) -> [UInt8]? {
            let start = position + offset
            return start + count <= bytes.count ? Array(bytes[start..<start + count]) : nil
        }

        private mutating func violation(_ closeCode: UInt16) -> [Event]? { stop(.violated(closeCode: closeCode)) }

        private mutating func stop(_ ending: Ending) -> [Event]? {
            self.ending = ending
            return nil
        }
    }
}
