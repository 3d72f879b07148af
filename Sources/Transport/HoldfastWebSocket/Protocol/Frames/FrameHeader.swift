/// The header of a frame (RFC 6455, 5.2).
///
/// ```
/// |F|R|R|R| opcode|M| length (7)  | length, 16 or 64 bits, if 126 or 127  | mask key, 32 bits, if M |
/// ```
package struct FrameHeader: Hashable, Sendable {
    /// Whether the frame is the last of its message.
    package var isFinal = true
    /// Whether the frame begins a compressed message: RSV1 in permessage-deflate (RFC 7692, 7.2.3).
    package var isCompressed = false
    /// The type of the frame.
    package var opcode: FrameOpcode
    /// The mask key of the payload; `nil` if the payload is not masked.
    package var maskKey: MaskKey?
    /// The payload size in bytes.
    package var length: Int

    /// The maximum size of a header: two bytes, eight of length, four of key.
    package static let maximumSize = 14

    /// The size of the encoded header in bytes.
    package var encodedSize: Int {
        2 + (length < 126 ? 0 : length <= 0xFFFF ? 2 : 8) + (maskKey == nil ? 0 : 4)
    }

    /// Writes the header, with the length in its shortest form, and returns the number of bytes written. `bytes` must
    /// have space for ``encodedSize``.
    package func encode(into bytes: UnsafeMutableRawBufferPointer) -> Int {
        let mask: UInt8 = maskKey == nil ? 0 : 0x80
        bytes[0] = (isFinal ? 0x80 : 0) | (isCompressed ? 0x40 : 0) | opcode.rawValue
        var index = 2
        if length < 126 {
            bytes[1] = mask | UInt8(truncatingIfNeeded: length)
        } else if length <= 0xFFFF {
            bytes[1] = mask | 126
            bytes.storeBytes(of: UInt16(truncatingIfNeeded: length).bigEndian, toByteOffset: 2, as: UInt16.self)
            index = 4
        } else {
            bytes[1] = mask | 127
            bytes.storeBytes(of: UInt64(length).bigEndian, toByteOffset: 2, as: UInt64.self)
            index = 10
        }
        if let maskKey {
            bytes.storeBytes(of: maskKey.rawValue.bigEndian, toByteOffset: index, as: UInt32.self)
            index += 4
        }
        return index
    }
}

/// The type of a frame (RFC 6455, 5.2). All other values are reserved and cause a protocol error.
package enum FrameOpcode: UInt8, Hashable, Sendable, CaseIterable {
    case continuation = 0x0
    case text = 0x1
    case binary = 0x2
    case close = 0x8
    case ping = 0x9
    case pong = 0xA

    /// Whether it is a control frame: at most 125 bytes, never fragmented, allowed between the fragments of a message.
    package var isControl: Bool { rawValue & 0x8 != 0 }
}

extension FrameHeader {
    /// Parses a header from the start of `bytes`. Returns the header and its size, or `nil` if bytes are missing.
    ///
    /// A violation is reported at the first byte that reveals it, not when the header is complete.
    ///
    /// - Parameter allowsCompression: Whether permessage-deflate, and with it RSV1, was negotiated.
    /// - Throws: ``ReceivingFailure/violation(_:)`` for a header that `receiver` must not accept.
    package static func parse(
        _ bytes: UnsafeRawBufferPointer, receiver: WebSocketRole, maximumLength: Int,
        allowsCompression: Bool = false
    ) throws(ReceivingFailure) -> (header: FrameHeader, size: Int)? {
        guard let first = bytes.first else { return nil }
        // No other extension is ever negotiated, so the other reserved bits have no meaning (RFC 6455, 5.2).
        guard first & (allowsCompression ? 0x30 : 0x70) == 0 else { throw .violation(.reservedBits) }
        guard let opcode = FrameOpcode(rawValue: first & 0x0F) else { throw .violation(.reservedOpcode) }
        let isCompressed = first & 0x40 != 0
        // RFC 7692, 6 and 7.2.3.1: only the first frame of a message has the bit set.
        guard !isCompressed || opcode == .text || opcode == .binary else { throw .violation(.reservedBits) }
        let isFinal = first & 0x80 != 0
        guard isFinal || !opcode.isControl else { throw .violation(.fragmentedControlFrame) }

        guard bytes.count >= 2 else { return nil }
        let second = bytes[1]
        let isMasked = second & 0x80 != 0
        guard isMasked == (receiver == .server) else {
            throw .violation(isMasked ? .maskedByServer : .unmaskedByClient)
        }
        let shortLength = second & 0x7F
        guard !opcode.isControl || shortLength < 126 else { throw .violation(.controlFrameTooLong) }

        var size = 2
        let length: UInt64
        switch shortLength {
        case 126:
            guard bytes.count >= 4 else { return nil }
            length = UInt64(UInt16(bigEndian: bytes.loadUnaligned(fromByteOffset: 2, as: UInt16.self)))
            guard length > 125 else { throw .violation(.lengthNotMinimal) }
            size = 4
        case 127:
            guard bytes.count >= 3 else { return nil }
            guard bytes[2] & 0x80 == 0 else { throw .violation(.lengthOutOfRange) }
            guard bytes.count >= 10 else { return nil }
            length = UInt64(bigEndian: bytes.loadUnaligned(fromByteOffset: 2, as: UInt64.self))
            guard length > 0xFFFF else { throw .violation(.lengthNotMinimal) }
            size = 10
        default:
            length = UInt64(shortLength)
        }
        guard length <= UInt64(max(0, maximumLength)) || opcode.isControl else {
            throw .violation(.frameTooLarge)
        }

        var maskKey: MaskKey?
        if isMasked {
            guard bytes.count >= size + 4 else { return nil }
            maskKey = MaskKey(
                rawValue: UInt32(bigEndian: bytes.loadUnaligned(fromByteOffset: size, as: UInt32.self)))
            size += 4
        }
        return (
            FrameHeader(
                isFinal: isFinal, isCompressed: isCompressed, opcode: opcode, maskKey: maskKey, length: Int(length)),
            size
        )
    }
}
