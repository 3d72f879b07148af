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
