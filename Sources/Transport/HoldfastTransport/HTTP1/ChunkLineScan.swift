/// Parses the line with a chunk's size, and the line break that ends the previous chunk (RFC 9112, 7.1).
struct ChunkLineScan: Hashable, Sendable {
    private enum State: Hashable, Sendable {
        /// After a chunk's data. Next: dataLineFeed.
        case dataEnd
        case dataLineFeed
        /// In the size. Next: extension, lineFeed.
        case size
        /// In the extensions, which are checked but not used. Next: lineFeed.
        case extensions(Extension)
        case lineFeed
    }

    /// The position in an extension: `; name`, `; name=token` or `; name="quoted"` (RFC 9112, 7.1.1). Empty parts are
    /// refused, because parsers differ about where such a line ends.
    private enum Extension: Hashable, Sendable {
        /// Before a name. Next: name.
        case nameStart
        /// In a name. Next: nameEnd, nameStart, valueStart.
        case name
        /// White space after a name. Next: nameStart, valueStart.
        case nameEnd
        /// Before a value. Next: value, quoted.
        case valueStart
        /// In a value that is a token. Next: valueEnd, nameStart.
        case value
        /// In a quoted string. Next: escaped, valueEnd.
        case quoted
        /// After a backslash. Next: quoted.
        case escaped
        /// After a value. Next: nameStart.
        case valueEnd

        /// Whether the line may end here.
        var mayEnd: Bool {
            switch self {
            case .name, .value, .valueEnd: true
            case .nameStart, .nameEnd, .valueStart, .quoted, .escaped: false
            }
        }

        /// Returns the state after a byte; `nil` if the byte is not permitted here.
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

    /// The number of bytes consumed, and the size of the chunk that follows. With size zero, the trailer section
    /// follows.
    struct Taken: Hashable, Sendable {
        var count: Int
        var size: Int64?
    }

    /// The maximum number of hexadecimal digits. Sixteen would overflow, and no server needs more than 1 TiB per chunk.
    ///
    /// - Error: `TransportError.Code.malformedResponse`
    private static let maximumDigits = 10
    /// The maximum size of all extensions of a body. Otherwise each byte of data could be accompanied by kilobytes of
    /// ignored text.
    ///
    /// - Error: `TransportError.Code.malformedResponse`
    private static let maximumExtensionBytes = 16 * 1024

    private var state = State.size
    private var size: Int64 = 0
    private var digits = 0
    private var extensionBytes = 0

    /// Records the end of a chunk's data. Its line break and the next chunk's size follow.
    mutating func dataEnded() {
        state = .dataEnd
        size = 0
        digits = 0
    }

    /// Parses bytes up to the end of the line.
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
                    .chunkExtension, "The chunk extensions are longer than \(Self.maximumExtensionBytes) bytes.")
            }
            if byte == .carriageReturn, place.mayEnd { return .lineFeed }
            if byte == .lineFeed { throw SectionScan.bareLineFeed }
            guard let next = place.next(byte) else {
                throw .malformed(.chunkExtension, "A chunk extension is empty or malformed.")
            }
            return .extensions(next)
        case .lineFeed:
            throw SectionScan.bareCarriageReturn
        }
    }

    private mutating func sizeDigit(_ byte: UInt8) throws(TransportError) -> State {
        if let digit = byte.hexadecimalValue {
            guard digits < Self.maximumDigits else {
                throw .malformed(.chunkSize, "A chunk size has too many digits.")
            }
            size = size << 4 | digit
            digits += 1
            return .size
        }
        guard digits > 0 else { throw .malformed(.chunkSize, "A chunk size is missing.") }
        switch byte {
        case .carriageReturn: return .lineFeed
        case UInt8(ascii: ";"): return .extensions(.nameStart)
        case .lineFeed: throw SectionScan.bareLineFeed
        default: throw .malformed(.chunkSize, "A chunk size is not a hexadecimal number.")
        }
    }

    private static var dataEnd: TransportError {
        .malformed(.chunkEnd, "The data of a chunk is not followed by a line break.")
    }
}
