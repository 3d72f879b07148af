/// Encodes frames, masked if the role requires it.
package struct FrameEncoder: Sendable {
    private let role: WebSocketRole
    private var keys: WebSocketEntropy

    /// Makes an encoder for the frames of `role`. `entropy` supplies the mask keys; a server uses none.
    package init(role: WebSocketRole, entropy: WebSocketEntropy) {
        self.role = role
        self.keys = entropy
    }

    /// Returns the header of the next frame, with a new mask key in the client's role. Request one header for each
    /// frame.
    package mutating func header(for frame: OutboundFrame) -> FrameHeader {
        FrameHeader(
            isFinal: frame.isFinal, isCompressed: frame.isCompressed, opcode: frame.opcode,
            maskKey: role == .client ? keys.maskKey() : nil, length: frame.payload.count)
    }

    /// Writes a frame with `header` and returns the number of bytes written. `bytes` must have space for the header's
    /// ``FrameHeader/encodedSize`` and its length.
    package static func encode(
        _ payload: OutboundFrame.Payload, under header: FrameHeader, into bytes: UnsafeMutableRawBufferPointer
    ) -> Int {
        let start = header.encode(into: bytes)
        let end = start + header.length
        let room = UnsafeMutableRawBufferPointer(rebasing: bytes[start..<end])
        payload.withBytes { source in
            if let key = header.maskKey {
                key.copy(source, to: room)
            } else {
                room.copyMemory(from: source)
            }
        }
        return end
    }

    /// Encodes a frame into a new array.
    package mutating func encode(_ frame: OutboundFrame) -> [UInt8] {
        let header = header(for: frame)
        let size = header.encodedSize + header.length
        return Array(unsafeUninitializedCapacity: size) { bytes, count in
            count = Self.encode(frame.payload, under: header, into: UnsafeMutableRawBufferPointer(bytes))
        }
    }
}

/// A frame to send, without the mask key, which the encoder adds.
package struct OutboundFrame: Hashable, Sendable {
    /// The payload as its owner stores it. It is not copied before it is encoded.
    package enum Payload: Hashable, Sendable {
        case text(String)
        case bytes(ArraySlice<UInt8>)

        /// The number of bytes.
        package var count: Int {
            switch self {
            case .text(let text): text.utf8.count
            case .bytes(let bytes): bytes.count
            }
        }

        /// Calls `body` with the bytes, without a copy if they are contiguous.
        func withBytes<Value>(_ body: (UnsafeRawBufferPointer) -> Value) -> Value {
            switch self {
            case .text(var text): text.withUTF8 { body(UnsafeRawBufferPointer($0)) }
            case .bytes(let slice): slice.withUnsafeBytes(body)
            }
        }
    }

    /// Whether the frame is the last of its message.
    package var isFinal: Bool
    /// Whether the frame begins a compressed message.
    package var isCompressed: Bool
    /// The type of the frame.
    package var opcode: FrameOpcode
    /// The payload, unmasked.
    package var payload: Payload

    package init(isFinal: Bool = true, isCompressed: Bool = false, opcode: FrameOpcode, payload: Payload) {
        self.isFinal = isFinal
        self.isCompressed = isCompressed
        self.opcode = opcode
        self.payload = payload
    }

    package init(isFinal: Bool = true, opcode: FrameOpcode, bytes: [UInt8]) {
        self.init(isFinal: isFinal, opcode: opcode, payload: .bytes(bytes[...]))
    }

    /// The payload's bytes.
    package var bytes: [UInt8] { payload.withBytes { Array($0) } }
}
