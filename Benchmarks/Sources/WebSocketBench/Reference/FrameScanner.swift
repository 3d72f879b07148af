import NIOCore

/// Finds the boundaries of WebSocket frames without reading their payloads.
struct FrameScanner {
    /// The header of a frame.
    struct Head {
        var firstByte: UInt8
        var key: UInt32?
        var length: Int
        /// The size of the header, in bytes.
        var size: Int
    }

    /// Parses the header at the start of `buffer`. Returns `nil` if it is incomplete.
    static func head(_ buffer: ByteBuffer) -> Head? {
        let start = buffer.readerIndex
        guard let first = buffer.getInteger(at: start, as: UInt8.self),
            let second = buffer.getInteger(at: start + 1, as: UInt8.self)
        else { return nil }
        var size = 2
        var length = Int(second & 0x7F)
        switch length {
        case 126:
            guard let long = buffer.getInteger(at: start + 2, as: UInt16.self) else { return nil }
            (length, size) = (Int(long), 4)
        case 127:
            guard let long = buffer.getInteger(at: start + 2, as: UInt64.self) else { return nil }
            (length, size) = (Int(clamping: long), 10)
        default: break
        }
        guard second & 0x80 != 0 else { return Head(firstByte: first, key: nil, length: length, size: size) }
        guard let key = buffer.getInteger(at: start + size, as: UInt32.self) else { return nil }
        return Head(firstByte: first, key: key, length: length, size: size + 4)
    }

    /// Writes a frame header. The frame is masked if there is a key.
    static func write(_ firstByte: UInt8, length: Int, key: UInt32?, to buffer: inout ByteBuffer) {
        let mask: UInt8 = key == nil ? 0 : 0x80
        buffer.writeInteger(firstByte)
        switch length {
        case ..<126: buffer.writeInteger(mask | UInt8(length))
        case ..<65_536:
            buffer.writeInteger(mask | 126)
            buffer.writeInteger(UInt16(length))
        default:
            buffer.writeInteger(mask | 127)
            buffer.writeInteger(UInt64(length))
        }
        if let key { buffer.writeInteger(key) }
    }

    /// Masks or unmasks the bytes from `start` on, one machine word at a time.
    static func mask(_ buffer: inout ByteBuffer, from start: Int, key: UInt32) {
        let word = (UInt64(key) << 32 | UInt64(key)).bigEndian
        buffer.withUnsafeMutableReadableBytes { bytes in
            var index = start
            while index + 8 <= bytes.count {
                let value = bytes.loadUnaligned(fromByteOffset: index, as: UInt64.self) ^ word
                bytes.storeBytes(of: value, toByteOffset: index, as: UInt64.self)
                index += 8
            }
            var rest = UInt64(littleEndian: word)
            while index < bytes.count {
                bytes[index] ^= UInt8(truncatingIfNeeded: rest)
                rest >>= 8
                index += 1
            }
        }
    }
}
