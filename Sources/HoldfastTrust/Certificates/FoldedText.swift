/// The scalars of an attribute's text as names are compared (RFC 5280, 7.1, without full string preparation): lower
/// case, no spaces at either end, runs of spaces as one.
///
/// One scalar at a time: two names that differ at the start are told apart there, however long they are.
struct FoldedText: IteratorProtocol {
    private let bytes: ArraySlice<UInt8>
    private var position: Int
    private var hasBegun = false
    /// What is left of a scalar that has several in lower case, the next one last.
    private var pending: [UInt32] = []

    init(_ bytes: ArraySlice<UInt8>) {
        self.bytes = bytes
        self.position = bytes.startIndex
    }

    mutating func next() -> UInt32? {
        if let scalar = pending.popLast() { return scalar }
        let start = position
        while position < bytes.endIndex, bytes[position] == UInt8(ascii: " ") { position += 1 }
        guard position < bytes.endIndex else { return nil }
        if hasBegun, position > start { return 0x20 }
        hasBegun = true
        let byte = bytes[position]
        guard byte >= 0x80 else {
            position += 1
            return UInt32(DNSName.lower(byte))
        }
        return nextBeyondASCII()
    }

    private mutating func nextBeyondASCII() -> UInt32? {
        var parser = UTF8.ForwardParser()
        var rest = bytes[position...].makeIterator()
        switch parser.parseScalar(from: &rest) {
        case .valid(let encoded):
            position += encoded.count
            pending = UTF8.decode(encoded).properties.lowercaseMapping.unicodeScalars.map(\.value).reversed()
            return pending.popLast()
        case .error(let length):
            position += max(1, length)
            return 0xFFFD
        case .emptyInput: return nil
        }
    }
}
