/// Reads JSON (RFC 8259) value by value for a caller that builds its own tree.
///
/// The caller reads a value with ``value()``. Before each element of an array, the caller calls ``hasElement()``, and
/// before each member of an object ``key()``, until they report the end.
package struct JSONScanner {
    /// A value, or the start of an array or object.
    package enum Token: Hashable, Sendable {
        case null
        case bool(Bool)
        /// A number, as written in the text.
        case number(String)
        case string(String)
        case array
        case object
    }

    private let bytes: [UInt8]
    private let maximumDepth: Int
    private let maximumCount: Int
    private let replacesLoneSurrogates: Bool
    private var offset = 0
    private var line = 1
    private var lineStart = 0
    private var depth = 0
    private var count = 0
    /// The byte offset at which the last value or key starts.
    package private(set) var start = 0

    /// Whether no element or member of the innermost array or object has been read yet.
    private var isFirst = false

    /// Creates a scanner for a text.
    ///
    /// - Parameters:
    ///   - maximumBytes: The maximum length of the text.
    ///   - maximumDepth: The maximum nesting of arrays and objects. It also protects a recursive caller from a stack
    ///     overflow.
    ///   - maximumCount: The maximum number of values.
    ///   - allowsByteOrderMark: Whether the text may start with a byte order mark.
    ///   - replacesLoneSurrogates: Whether a lone surrogate escape becomes U+FFFD instead of an error.
    package init(
        _ bytes: [UInt8], maximumBytes: Int, maximumDepth: Int, maximumCount: Int = .max,
        allowsByteOrderMark: Bool = false, replacesLoneSurrogates: Bool = false
    ) throws(Fault) {
        self.bytes = bytes
        self.maximumDepth = maximumDepth
        self.maximumCount = maximumCount
        self.replacesLoneSurrogates = replacesLoneSurrogates
        guard bytes.count <= maximumBytes else { throw fault(.tooLong) }
        if allowsByteOrderMark, bytes.starts(with: [0xEF, 0xBB, 0xBF]) { offset = 3 }
        skipSpace()
    }

    /// The line and column, counted from 1, at which the last value or key starts.
    package var place: (line: Int, column: Int) { (line, start - lineStart + 1) }

    /// Whether a digit follows the last value. A number with a leading zero ends after the zero.
    package var isBeforeDigit: Bool { isDigit(next) }

    /// Reads a value, or the start of an array or object.
    package mutating func value() throws(Fault) -> Token {
        start = offset
        count += 1
        guard count <= maximumCount else { throw fault(.tooMany) }
        switch next {
        case UInt8(ascii: "{"): return try enter(.object)
        case UInt8(ascii: "["): return try enter(.array)
        case UInt8(ascii: "\""): return .string(try string())
        case UInt8(ascii: "t"): return try word("true", .bool(true))
        case UInt8(ascii: "f"): return try word("false", .bool(false))
        case UInt8(ascii: "n"): return try word("null", .null)
        case let byte? where byte == UInt8(ascii: "-") || isDigit(byte): return .number(try number())
        default: throw fault(.value)
        }
    }

    /// Moves to the next element of an array. Returns `false` after the last element.
    package mutating func hasElement() throws(Fault) -> Bool {
        try goesOn(until: UInt8(ascii: "]"))
    }

    /// Reads the key of the next member of an object. Returns `nil` after the last member.
    package mutating func key() throws(Fault) -> String? {
        guard try goesOn(until: UInt8(ascii: "}")) else { return nil }
        start = offset
        guard next == UInt8(ascii: "\"") else { throw fault(.key) }
        return try string()
    }

    /// Reads the colon between a key and its value.
    package mutating func colon() throws(Fault) {
        skipSpace()
        guard next == UInt8(ascii: ":") else { throw fault(.colon) }
        offset += 1
        skipSpace()
    }

    /// Checks that nothing follows the value.
    package mutating func finish() throws(Fault) {
        skipSpace()
        guard offset == bytes.count else { throw fault(.trailing) }
    }

    /// Returns the error for a caller that does not accept the last value or key.
    package func refusal(_ code: Fault.Code) -> Fault {
        Fault(code: code, offset: start, start: start, isAtEnd: false, line: line, lineStart: lineStart)
    }

    // MARK: Parsing

    private var next: UInt8? { offset < bytes.count ? bytes[offset] : nil }

    private func isDigit(_ byte: UInt8?) -> Bool { byte.map { (0x30...0x39).contains($0) } ?? false }

    private func fault(_ code: Fault.Code, from start: Int? = nil) -> Fault {
        Fault(
            code: code, offset: offset, start: start ?? offset, isAtEnd: offset >= bytes.count, line: line,
            lineStart: lineStart)
    }

    private mutating func skipSpace() {
        while let byte = next {
            switch byte {
            case UInt8(ascii: "\n"):
                offset += 1
                line += 1
                lineStart = offset
            case UInt8(ascii: " "), UInt8(ascii: "\t"), UInt8(ascii: "\r"): offset += 1
            default: return
            }
        }
    }

    private mutating func enter(_ token: Token) throws(Fault) -> Token {
        depth += 1
        guard depth <= maximumDepth else { throw fault(.tooDeep) }
        offset += 1
        isFirst = true
        return token
    }

    private mutating func goesOn(until end: UInt8) throws(Fault) -> Bool {
        defer { isFirst = false }
        skipSpace()
        if next == end {
            offset += 1
            depth -= 1
            return false
        }
        if !isFirst {
            guard next == UInt8(ascii: ",") else { throw fault(.comma(end: Character(Unicode.Scalar(end)))) }
            offset += 1
            skipSpace()
        }
        return true
    }

    private mutating func word(_ text: StaticString, _ token: Token) throws(Fault) -> Token {
        for index in 0..<text.utf8CodeUnitCount {
            guard next == text.utf8Start[index] else { throw fault(.value, from: start) }
            offset += 1
        }
        return token
    }

    private mutating func number() throws(Fault) -> String {
        if next == UInt8(ascii: "-") { offset += 1 }
        if next == UInt8(ascii: "0") { offset += 1 } else { try digits() }
        if next == UInt8(ascii: ".") {
            offset += 1
            try digits()
        }
        if next == UInt8(ascii: "e") || next == UInt8(ascii: "E") {
            offset += 1
            if next == UInt8(ascii: "+") || next == UInt8(ascii: "-") { offset += 1 }
            try digits()
        }
        return String(decoding: bytes[start..<offset], as: UTF8.self)
    }

    private mutating func digits() throws(Fault) {
        guard isDigit(next) else { throw fault(.digit, from: start) }
        while isDigit(next) { offset += 1 }
    }

    // MARK: Strings

    private mutating func string() throws(Fault) -> String {
        offset += 1
        var text: [UInt8] = []
        while let byte = next {
            switch byte {
            case UInt8(ascii: "\""):
                guard let result = String(validating: text, as: UTF8.self) else { throw fault(.notUTF8, from: start) }
                offset += 1
                return result
            case UInt8(ascii: "\\"):
                offset += 1
                try escape(into: &text)
            case 0x00..<0x20: throw fault(.controlCharacter)
            default:
                text.append(byte)
                offset += 1
            }
        }
        throw fault(.openString)
    }

    private mutating func escape(into text: inout [UInt8]) throws(Fault) {
        switch next {
        case let byte? where "\"\\/".utf8.contains(byte): text.append(byte)
        case UInt8(ascii: "b"): text.append(0x08)
        case UInt8(ascii: "f"): text.append(0x0C)
        case UInt8(ascii: "n"): text.append(0x0A)
        case UInt8(ascii: "r"): text.append(0x0D)
        case UInt8(ascii: "t"): text.append(0x09)
        case UInt8(ascii: "u"):
            offset += 1
            return text.append(contentsOf: String(Character(try escapedScalar())).utf8)
        default: throw fault(.escape)
        }
        offset += 1
    }

    private mutating func escapedScalar() throws(Fault) -> Unicode.Scalar {
        let first = try codeUnit()
        if let scalar = Unicode.Scalar(first) { return scalar }
        // A high surrogate is valid only together with the low surrogate that follows. Otherwise the low one stays
        // unread.
        if UTF16.isLeadSurrogate(first), bytes[offset...].starts(with: "\\u".utf8) {
            let before = offset
            offset += 2
            let second = try codeUnit()
            if UTF16.isTrailSurrogate(second),
                let scalar = Unicode.Scalar(0x10000 + (UInt32(first) - 0xD800) << 10 + (UInt32(second) - 0xDC00))
            {
                return scalar
            }
            if replacesLoneSurrogates { offset = before }
        }
        guard replacesLoneSurrogates else { throw fault(.surrogate) }
        return "\u{FFFD}"
    }

    private mutating func codeUnit() throws(Fault) -> UInt16 {
        let first = offset
        var unit: UInt16 = 0
        for _ in 0..<4 {
            guard let byte = next, byte < 0x80, let digit = Character(Unicode.Scalar(byte)).hexDigitValue else {
                throw fault(.hexadecimal, from: first)
            }
            unit = unit << 4 | UInt16(digit)
            offset += 1
        }
        return unit
    }

    /// The reason and the position at which a text is not acceptable JSON.
    package struct Fault: Error, Hashable, Sendable {
        /// The problem, or what the scanner expected instead.
        package enum Code: Hashable, Sendable {
            case tooLong
            case tooDeep
            case tooMany
            case value
            case key
            case colon
            /// Expected a comma or this closing bracket.
            case comma(end: Character)
            case digit
            case escape
            /// Expected four hexadecimal digits.
            case hexadecimal
            /// Expected the second half of a surrogate pair.
            case surrogate
            case controlCharacter
            case notUTF8
            /// The text ends inside a string.
            case openString
            /// Text follows the value.
            case trailing
            /// The object already has this key. The caller decides whether this is an error.
            case repeatedKey(String)
        }

        /// The problem.
        package let code: Code
        /// The byte offset at which reading stopped.
        package let offset: Int
        /// The byte offset at which the invalid number, word, string or group of digits starts.
        package let start: Int
        /// Whether reading stopped at the end of the text.
        package let isAtEnd: Bool
        /// The line, counted from 1.
        package let line: Int
        fileprivate let lineStart: Int

        /// Returns the column, counted from 1, of a byte offset on the same line.
        package func column(of offset: Int) -> Int { offset - lineStart + 1 }
    }
}
