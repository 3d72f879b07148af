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
