/// Finds the end of a chunked body (RFC 9112, 7.1).
struct ChunkScan: Sendable {
    private enum State {
        /// Within the line that holds a chunk's size. Next: data, trailer.
        case size(Int64, digits: Int, inExtension: Bool, bytes: Int)
        /// Within a chunk's data and the line break after it. Next: size.
        case data(Int64)
        /// Within the trailer section.
        case trailer(LineScan, bytes: Int)
    }

    /// Sixteen hexadecimal digits would overflow; and no server needs more than a terabyte in a chunk.
    private static let maximumDigits = 10
    /// The limit that Go's net/http sets to a chunk line, extensions included.
    private static let maximumLine = 4096

    private let limit: Int
    private var state = State.size(0, digits: 0, inExtension: false, bytes: 0)

    /// `limit` is the most bytes of the trailer section.
    init(limit: Int) {
        self.limit = limit
    }

    /// Looks for the end of the body.
    mutating func take(_ bytes: some RandomAccessCollection<UInt8>) throws(TransportError) -> LineScan.Taken {
        var rest = bytes[...]
        while let byte = rest.first {
            switch state {
            case .size(let size, let digits, let inExtension, let length):
                rest.removeFirst()
                state = try Self.sizeLine(size, digits: digits, inExtension: inExtension, bytes: length, byte)
            case .data(let remaining):
                let count = Int(min(remaining, Int64(rest.count)))
                rest.removeFirst(count)
                let left = remaining - Int64(count)
                state = left > 0 ? .data(left) : .size(0, digits: 0, inExtension: false, bytes: 0)
            case .trailer(var scan, let before):
                let taken = scan.takeSection(rest)
                guard before + taken.count <= limit else { throw ResponseBoundary.tooLarge }
                rest.removeFirst(taken.count)
                state = .trailer(scan, bytes: before + taken.count)
                if taken.isComplete {
                    return LineScan.Taken(count: bytes.count - rest.count, isComplete: true)
                }
            }
        }
        return LineScan.Taken(count: bytes.count, isComplete: false)
    }

    private static func sizeLine(
        _ size: Int64, digits: Int, inExtension: Bool, bytes: Int, _ byte: UInt8
    ) throws(TransportError) -> State {
        guard bytes < maximumLine else {
            throw .malformed("A chunk's extensions are longer than \(maximumLine) bytes.")
        }
        if byte == UInt8(ascii: "\n") {
            guard digits > 0 else { throw .malformed("A chunk has no size.") }
            // The data is followed by a line break of two bytes.
            return size == 0 ? .trailer(LineScan(atLineStart: true), bytes: 0) : .data(size + 2)
        }
        guard !inExtension, let digit = hexadecimal(byte) else {
            return .size(size, digits: digits, inExtension: true, bytes: bytes + 1)
        }
        guard digits < maximumDigits else { throw .malformed("A chunk's size has too many digits.") }
        return .size(size << 4 | digit, digits: digits + 1, inExtension: false, bytes: bytes + 1)
    }

    private static func hexadecimal(_ byte: UInt8) -> Int64? {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): Int64(byte - UInt8(ascii: "0"))
        case UInt8(ascii: "a")...UInt8(ascii: "f"): Int64(byte - UInt8(ascii: "a") + 10)
        case UInt8(ascii: "A")...UInt8(ascii: "F"): Int64(byte - UInt8(ascii: "A") + 10)
        default: nil
        }
    }
}
