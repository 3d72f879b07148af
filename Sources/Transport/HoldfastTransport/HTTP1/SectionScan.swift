/// Checks the bytes of a status line and of header or trailer fields, and finds the empty line that ends them. It
/// accepts only what RFC 9112 permits a sender to generate, not what it lets a recipient tolerate.
package struct SectionScan: Hashable, Sendable {
    private enum State: Hashable, Sendable {
        /// In the status line, at this byte. Next: text, lineFeed.
        case statusLine(Int)
        /// In the reason phrase, which may be empty, or in a request line. Next: lineFeed.
        case text
        /// At the start of a field or of the last line. Next: name, lastLineFeed.
        case lineStart
        /// In a field name. Next: value.
        case name
        /// In a field value. Next: lineFeed.
        case value
        /// Between the two bytes of a line break. Next: lineStart.
        case lineFeed
        /// Between the two bytes of the last line break.
        case lastLineFeed
    }

    /// The number of bytes consumed, and whether the last of them ends the section.
    package struct Taken: Hashable, Sendable {
        package var count: Int
        package var isComplete: Bool
    }

    private var state: State
    private var bytes = 0
    private var fields = 0
    private let maximumBytes: Int
    private let maximumFields: Int

    private init(_ state: State, _ limits: TransportLimits) {
        self.state = state
        self.maximumBytes = limits.headBytes
        self.maximumFields = limits.headerFields
    }

    /// Returns a scan for the head of a response.
    static func head(_ limits: TransportLimits) -> SectionScan { SectionScan(.statusLine(0), limits) }

    /// Returns a scan for the trailer section of a chunked body.
    static func trailers(_ limits: TransportLimits) -> SectionScan { SectionScan(.lineStart, limits) }

    /// Returns a scan for the head of a request, whose first line may be any text.
    package static func request(_ limits: TransportLimits) -> SectionScan { SectionScan(.text, limits) }

    /// Checks bytes up to the end of the section.
    package mutating func take(_ input: UnsafeRawBufferPointer) throws(TransportError) -> Taken {
        var count = 0
        for byte in input {
            count += 1
            if case .value = state, byte >= 0x20, byte != 0x7F { continue }
            if case .lastLineFeed = state, byte == .lineFeed {
                try add(count)
                return Taken(count: count, isComplete: true)
            }
            // The size limit takes precedence over errors in the content.
            if bytes + count > maximumBytes { throw Self.tooLarge }
            state = try next(byte)
            if case .name = state, fields > maximumFields { throw Self.tooMany(maximumFields) }
        }
        try add(count)
        return Taken(count: count, isComplete: false)
    }

    private mutating func add(_ count: Int) throws(TransportError) {
        bytes += count
        if bytes > maximumBytes { throw Self.tooLarge }
    }

    private mutating func next(_ byte: UInt8) throws(TransportError) -> State {
        switch state {
        case .statusLine(let position):
            return try Self.statusLine(position, byte)
        case .text, .value:
            return try text(byte)
        case .lineStart:
            return try lineStart(byte)
        case .name:
            return try Self.name(byte)
        case .lineFeed:
            guard byte == .lineFeed else { throw Self.bareCarriageReturn }
            return .lineStart
        case .lastLineFeed:
            throw Self.bareCarriageReturn
        }
    }

    /// Checks `HTTP/1.x SP 3DIGIT`, followed by a space and the reason phrase, or by nothing. Some servers omit both,
    /// which is unambiguous.
    private static func statusLine(_ position: Int, _ byte: UInt8) throws(TransportError) -> State {
        let isRight =
            switch position {
            case 0, 1, 2, 3, 4, 5, 6: byte == prefix[position]
            case 7: byte == UInt8(ascii: "0") || byte == UInt8(ascii: "1")
            case 8: byte == .space
            case 9: byte.isDigit && byte != UInt8(ascii: "0")
            case 10, 11: byte.isDigit
            default: byte == .space || byte == .carriageReturn
            }
        guard isRight else {
            throw .malformed(.statusLine, "The response does not start with an HTTP/1.1 status line.")
        }
        guard position == 12 else { return .statusLine(position + 1) }
        return byte == .space ? .text : .lineFeed
    }

    private static let prefix = Array("HTTP/1.".utf8)

    private func text(_ byte: UInt8) throws(TransportError) -> State {
        switch byte {
        case .carriageReturn: return .lineFeed
        case .lineFeed: throw Self.bareLineFeed
        case .tab, 0x20..<0x7F, 0x80...: return state
        default:
            throw .malformed(.controlCharacter, "The response head contains the control character \(byte).")
        }
    }

    private mutating func lineStart(_ byte: UInt8) throws(TransportError) -> State {
        switch byte {
        case .carriageReturn: return .lastLineFeed
        case .lineFeed: throw Self.bareLineFeed
        case .space, .tab:
            throw .malformed(.foldedField, "A line of the response head starts with white space.")
        default:
            guard byte.isTokenCharacter else {
                throw .malformed(.fieldName, "A header field name starts with a forbidden character.")
            }
            fields += 1
            return .name
        }
    }

    private static func name(_ byte: UInt8) throws(TransportError) -> State {
        switch byte {
        case UInt8(ascii: ":"): return .value
        case .space, .tab:
            throw .malformed(.spaceBeforeColon, "A header field name is followed by white space.")
        case .carriageReturn, .lineFeed:
            throw .malformed(.missingColon, "A line of the response head has no colon.")
        default:
            guard byte.isTokenCharacter else {
                throw .malformed(.fieldName, "A header field name contains a forbidden character.")
            }
            return .name
        }
    }

    static var bareCarriageReturn: TransportError {
        .malformed(.bareCarriageReturn, "A carriage return is not followed by a line feed.")
    }

    static var bareLineFeed: TransportError {
        .malformed(.bareLineFeed, "A line feed is not preceded by a carriage return.")
    }

    static var tooLarge: TransportError {
        TransportError(.headTooLarge, in: .awaitingResponse, "The response head is larger than the limit.")
    }

    static func tooMany(_ limit: Int) -> TransportError {
        TransportError(.tooManyFields, in: .awaitingResponse, "The response has more than \(limit) header fields.")
    }
}
