import HoldfastTrust

/// The lines of a text in order, with their numbers. LF and CRLF end a line. A byte order mark is not part of the first
/// line.
struct SourceLines: Sequence, IteratorProtocol {
    /// A line without its line ending.
    struct Line {
        var number: Int
        var bytes: ArraySlice<UInt8>

        /// Returns the words of the line with their positions.
        ///
        /// - Parameter isSeparator: Returns whether a byte separates words.
        func words(separatedBy isSeparator: (UInt8) -> Bool) -> [(text: String, position: SourcePosition)] {
            bytes.split(whereSeparator: isSeparator).map {
                (
                    String(decoding: $0, as: UTF8.self),
                    SourcePosition(line: number, column: $0.startIndex - bytes.startIndex + 1)
                )
            }
        }
    }

    private var rest: ArraySlice<UInt8>?
    private var number = 0

    init(of bytes: [UInt8]) {
        rest = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? bytes[3...] : bytes[...]
    }

    mutating func next() -> Line? {
        guard let bytes = rest else { return nil }
        number += 1
        guard let end = bytes.firstIndex(of: UInt8(ascii: "\n")) else {
            rest = nil
            return Line(number: number, bytes: SourceLines.withoutReturn(bytes))
        }
        rest = bytes[bytes.index(after: end)...]
        return Line(number: number, bytes: SourceLines.withoutReturn(bytes[..<end]))
    }

    private static func withoutReturn(_ bytes: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        bytes.last == UInt8(ascii: "\r") ? bytes.dropLast() : bytes
    }
}
