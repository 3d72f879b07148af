/// Reads the line with a chunk's size, and the line break that ends the chunk before it (RFC 9112, 7.1).
struct ChunkLineScan: Hashable, Sendable {
    private enum State: Hashable, Sendable {
        /// Behind a chunk's data. Next: dataLineFeed.
        case dataEnd
        case dataLineFeed
        /// Within the size. Next: extensions, lineFeed.
        case size
        /// Within the extensions, which are not read. Next: lineFeed.
        case extensions
        case lineFeed
    }

    /// How many bytes were looked at, and the size of the chunk that follows them; zero: the trailer section does.
    struct Taken: Hashable, Sendable {
        var count: Int
        var size: Int64?
    }

    /// Sixteen hexadecimal digits would overflow; and no server needs more than a terabyte in a chunk.
    private static let maximumDigits = 10
    /// For all chunks of a body together: each byte of data could otherwise bring kilobytes along that nobody sees.
    private static let maximumExtensionBytes = 16 * 1024

    private var state = State.size
    private var size: Int64 = 0
    private var digits = 0
    private var extensionBytes = 0

    /// The chunk's data has been read: its line break and the next chunk's size follow.
    mutating func dataEnded() {
        state = .dataEnd
        size = 0
        digits = 0
    }

    /// Reads up to the end of the line.
    mutating func take(_ input: some Collection<UInt8>) throws(TransportError) -> Taken {
        var count = 0
        for byte in input {
            count += 1
            if case .lineFeed = state, byte == .lineFeed { return Taken(count: count, size: size) }
            state = try next(byte)
        }
        return Taken(count: count, size: nil)
    }

    private mutating func next(_ byte: UInt8) throws(TransportError) -> State {
        switch state {
        case .dataEnd:
            guard byte == .carriageReturn else { throw Self.dataEnd }
            return .dataLineFeed
        case .dataLineFeed:
            guard byte == .lineFeed else { throw Self.dataEnd }
            return .size
        case .size:
            return try sizeDigit(byte)
        case .extensions:
            extensionBytes += 1
            guard extensionBytes <= Self.maximumExtensionBytes else {
                throw .malformed(
                    .chunkExtension, "The chunks' extensions are longer than \(Self.maximumExtensionBytes) bytes.")
            }
            switch byte {
            case .carriageReturn: return .lineFeed
            case .lineFeed: throw SectionScan.bareLineFeed
            case .tab, 0x20..<0x7F, 0x80...: return .extensions
            default: throw .malformed(.chunkExtension, "A chunk's extension holds the control character \(byte).")
            }
        case .lineFeed:
            throw SectionScan.bareCarriageReturn
        }
    }

    private mutating func sizeDigit(_ byte: UInt8) throws(TransportError) -> State {
        if let digit = byte.hexadecimalValue {
            guard digits < Self.maximumDigits else {
                throw .malformed(.chunkSize, "A chunk's size has too many digits.")
            }
            size = size << 4 | digit
            digits += 1
            return .size
        }
        guard digits > 0 else { throw .malformed(.chunkSize, "A chunk has no size.") }
        switch byte {
        case .carriageReturn: return .lineFeed
        case UInt8(ascii: ";"): return .extensions
        case .lineFeed: throw SectionScan.bareLineFeed
        default: throw .malformed(.chunkSize, "A chunk's size is no hexadecimal number.")
        }
    }

    private static var dataEnd: TransportError {
        .malformed(.chunkEnd, "A chunk's data is not followed by a line break.")
    }
}
