/// Walks DER elements inside a range of bytes, strictly: definite lengths in their shortest form, low tags only.
///
/// It copies nothing: elements are ranges of the original bytes, which is what lets a SubjectPublicKeyInfo be hashed
/// as it lies in the certificate.
struct DERReader {
    let bytes: [UInt8]
    private(set) var position: Int
    let end: Int

    init(_ bytes: [UInt8], in range: Range<Int>) {
        self.bytes = bytes
        self.position = range.lowerBound
        self.end = range.upperBound
    }

    init(_ bytes: [UInt8]) {
        self.init(bytes, in: bytes.indices)
    }

    var isAtEnd: Bool { position >= end }

    /// The tag of the next element, `nil` at the end.
    var nextTag: UInt8? { isAtEnd ? nil : bytes[position] }

    /// Reads the next element, whatever its tag.
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

    /// Reads the next element, which must have this tag.
    mutating func read(_ tag: UInt8) throws(DERFault) -> DERElement {
        let start = position
        let element = try read()
        guard element.tag == tag else { throw DERFault(reason: .unexpectedTag, offset: start) }
        return element
    }

    /// Reads the next element if it has this tag.
    mutating func readIfPresent(_ tag: UInt8) throws(DERFault) -> DERElement? {
        guard nextTag == tag else { return nil }
        return try read()
    }

    /// A reader for the content of an element.
    func inside(_ element: DERElement) -> DERReader {
        DERReader(bytes, in: element.content)
    }

    /// Throws unless everything was read.
    func finish() throws(DERFault) {
        guard isAtEnd else { throw DERFault(reason: .trailingBytes, offset: position) }
    }
}
