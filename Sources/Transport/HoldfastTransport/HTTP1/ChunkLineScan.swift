/// Reads the line with a chunk's size, and the line break that ends the chunk before it (RFC 9112, 7.1).
struct ChunkLineScan: Hashable, Sendable {
    private enum State: Hashable, Sendable {
        /// Behind a chunk's data. Next: dataLineFeed.
        case dataEnd
        case dataLineFeed
        /// Within the size. Next: extension, lineFeed.
        case size
        /// Within the extensions, which are checked and not used. Next: lineFeed.
        case extensions(Extension)
        case lineFeed
    }

    /// Where in an extension: `; name`, `; name=token` or `; name="quoted"` (RFC 9112, 7.1.1). What is empty is refused: readers
    /// differ about where such a line ends.
    private enum Extension: Hashable, Sendable {
        /// Before a name. Next: name.
        case nameStart
        /// Within a name. Next: nameEnd, nameStart, valueStart.
        case name
        /// White space behind a name. Next: nameStart, valueStart.
        case nameEnd
        /// Before a value. Next: value, quoted.
        case valueStart
        /// Within a value that is a token. Next: valueEnd, nameStart.
        case value
        /// Within a quoted string. Next: escaped, valueEnd.
        case quoted
        /// Behind a backslash. Next: quoted.
        case escaped
        /// Behind a value. Next: nameStart.
        case valueEnd

        /// Whether the line may end here.
        var mayEnd: Bool {
            switch self {
            case .name, .value, .valueEnd: true
            case .nameStart, .nameEnd, .valueStart, .quoted, .escaped: false
            }
        }

        /// What follows a byte; `nil` where the byte may not stand here.
        func next(_ byte: UInt8) -> Extension? {
            let isBlank = byte == .space || byte == .tab
            switch self {
            case .nameStart: return isBlank ? self : byte.isTokenCharacter ? .name : nil
            case .name where byte.isTokenCharacter, .value where byte.isTokenCharacter: return self
            case .name, .nameEnd:
                if byte == UInt8(ascii: "=") { return .valueStart }
                return byte == UInt8(ascii: ";") ? .nameStart : isBlank ? .nameEnd : nil
            case .valueStart:
                if byte == UInt8(ascii: "\"") { return .quoted }
                return isBlank ? self : byte.isTokenCharacter ? .value : nil
            case .value, .valueEnd: return byte == UInt8(ascii: ";") ? .nameStart : isBlank ? .valueEnd : nil
            case .quoted:
                if byte == UInt8(ascii: "\"") { return .valueEnd }
                return byte == UInt8(ascii: "\\") ? .escaped : isText(byte) ? self : nil
            case .escaped: return isText(byte) ? .quoted : nil
            }
        }

        private func isText(_ byte: UInt8) -> Bool { byte == .tab || (0x20..<0x7F).contains(byte) || byte >= 0x80 }
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
        case .extensions(let place):
            extensionBytes += 1
            guard extensionBytes <= Self.maximumExtensionBytes else {
                throw .malformed(
                    .chunkExtension, "The chunks' extensions are longer than \(Self.maximumExtensionBytes) bytes.")
            }
            if byte == .carriageReturn, place.mayEnd { return .lineFeed }
            if byte == .lineFeed { throw SectionScan.bareLineFeed }
            guard let next = place.next(byte) else {
                throw .malformed(.chunkExtension, "A chunk's extension is empty or not a name with a value.")
            }
            return .extensions(next)
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
        case UInt8(ascii: ";"): return .extensions(.nameStart)
        case .lineFeed: throw SectionScan.bareLineFeed
        default: throw .malformed(.chunkSize, "A chunk's size is no hexadecimal number.")
        }
    }

    private static var dataEnd: TransportError {
        .malformed(.chunkEnd, "A chunk's data is not followed by a line break.")
    }
}
