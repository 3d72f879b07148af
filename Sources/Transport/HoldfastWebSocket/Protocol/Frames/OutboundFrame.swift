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
