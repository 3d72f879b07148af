/// Reads DER elements in a range of bytes, strictly: definite lengths in their shortest form, and low tags only.
///
/// Does not copy: elements are ranges of the original bytes. A SubjectPublicKeyInfo can therefore be hashed in place.
struct DERReader {
    let bytes: [UInt8]
    private(set) var position: Int
    let end: Int

    /// Creates a reader for a range of bytes, or for all of them.
    init(_ bytes: [UInt8], in range: Range<Int>? = nil) {
        self.bytes = bytes
        self.position = range?.lowerBound ?? 0
        self.end = range?.upperBound ?? bytes.count
    }

    var isAtEnd: Bool { position >= end }

    /// The tag of the next element, or `nil` at the end.
    var nextTag: UInt8? { isAtEnd ? nil : bytes[position] }

    /// Reads the next element with any tag.
    mutating func read() throws(DERFault) -> DERElement {
        let start = position
        guard end - start >= 2 else { throw DERFault(reason: .truncated, offset: start) }
        let tag = bytes[start]
        guard tag & 0x1F != 0x1F else { throw DERFault(reason: .highTag, offset: start) }
        let first = bytes[start + 1]
        var contentStart = start + 2
        var length = Int(first)
        if first == 0x80 {
            throw DERFault(reason: .indefiniteLength, offset: start + 1)
        } else if first > 0x80 {
            let count = Int(first & 0x7F)
            guard count <= 4 else { throw DERFault(reason: .longLengthForm, offset: start + 1) }
            guard end - contentStart >= count else { throw DERFault(reason: .truncated, offset: contentStart) }
            length = 0
            for _ in 0..<count {
                length = length << 8 | Int(bytes[contentStart])
                contentStart += 1
            }
            guard length >= 0x80, length >> (8 * (count - 1)) != 0 else {
                throw DERFault(reason: .longLengthForm, offset: start + 1)
            }
        }
        guard end - contentStart >= length else { throw DERFault(reason: .truncated, offset: contentStart) }
        position = contentStart + length
        return DERElement(tag: tag, whole: start..<position, content: contentStart..<position)
    }

    /// Reads the next element, which must have the given tag.
    mutating func read(_ tag: UInt8) throws(DERFault) -> DERElement {
        let start = position
        let element = try read()
        guard element.tag == tag else { throw DERFault(reason: .unexpectedTag, offset: start) }
        return element
    }

    /// Reads the next element if it has the given tag.
    mutating func readIfPresent(_ tag: UInt8) throws(DERFault) -> DERElement? {
        guard nextTag == tag else { return nil }
        return try read()
    }

    /// Reads the next element if it has the given tag, and returns a reader for its content.
    mutating func contentIfPresent(_ tag: UInt8) throws(DERFault) -> DERReader? {
        guard let element = try readIfPresent(tag) else { return nil }
        return inside(element)
    }

    /// Returns a reader for the content of an element.
    func inside(_ element: DERElement) -> DERReader {
        DERReader(bytes, in: element.content)
    }

    /// Reads the bytes as a single element with the given tag, and returns a reader for its content.
    func onlyElement(_ tag: UInt8 = DERTag.sequence) throws(DERFault) -> DERReader {
        var reader = self
        let element = try reader.read(tag)
        try reader.finish()
        return reader.inside(element)
    }

    /// Returns a fault at the current position.
    func fault(_ reason: DERFault.Reason) -> DERFault { DERFault(reason: reason, offset: position) }

    /// Throws if unread bytes remain.
    func finish() throws(DERFault) {
        guard isAtEnd else { throw DERFault(reason: .trailingBytes, offset: position) }
    }
}

/// An element with its tag and position.
struct DERElement: Hashable, Sendable {
    /// The identifier octet.
    var tag: UInt8
    /// The range of tag, length and content.
    var whole: Range<Int>
    /// The range of the content.
    var content: Range<Int>
}

/// The identifier octets that occur in certificates.
enum DERTag {
    static let boolean: UInt8 = 0x01
    static let integer: UInt8 = 0x02
    static let bitString: UInt8 = 0x03
    static let octetString: UInt8 = 0x04
    static let null: UInt8 = 0x05
    static let objectIdentifier: UInt8 = 0x06
    static let enumerated: UInt8 = 0x0A
    static let utf8String: UInt8 = 0x0C
    static let numericString: UInt8 = 0x12
    static let printableString: UInt8 = 0x13
    static let teletexString: UInt8 = 0x14
    static let ia5String: UInt8 = 0x16
    static let utcTime: UInt8 = 0x17
    static let generalizedTime: UInt8 = 0x18
    static let visibleString: UInt8 = 0x1A
    static let universalString: UInt8 = 0x1C
    static let bmpString: UInt8 = 0x1E
    static let sequence: UInt8 = 0x30
    static let set: UInt8 = 0x31

    /// Returns a context-specific tag.
    static func context(_ number: UInt8, constructed: Bool) -> UInt8 {
        0x80 | (constructed ? 0x20 : 0) | number
    }
}

/// An error in DER bytes with its position.
struct DERFault: Error, Hashable, Sendable {
    enum Reason: String, Hashable, Sendable {
        case truncated = "the bytes end too early"
        case indefiniteLength = "an indefinite length is not allowed in DER"
        case longLengthForm = "a length is not in its shortest form"
        case highTag = "tags above 30 are not supported"
        case unexpectedTag = "an element has an unexpected tag"
        case trailingBytes = "bytes remain at the end"
        case invalidBoolean = "a boolean is not 00 or FF"
        case invalidInteger = "an integer is empty or not in its shortest form"
        case invalidBitString = "a bit string has an invalid number of unused bits"
        case invalidTime = "a time is not in the form that RFC 5280 requires"
        case repeatedElement = "an element occurs twice"
        case tooManyElements = "there are too many elements"
    }

    var reason: Reason
    var offset: Int
}
