import HoldfastTrust

/// The lines of a text with their numbers. LF and CRLF end a line.
enum SourceLines {
    /// A line without its end.
    struct Line {
        var number: Int
        var bytes: ArraySlice<UInt8>

        /// The words of the line with their columns; `isSeparator` says what stands between them.
        func words(separatedBy isSeparator: (UInt8) -> Bool) -> [(text: String, position: SourcePosition)] {
            bytes.split(whereSeparator: isSeparator).map {
                (
                    String(decoding: $0, as: UTF8.self),
                    SourcePosition(line: number, column: $0.startIndex - bytes.startIndex + 1)
                )
            }
        }
    }

    static func lines(of bytes: [UInt8]) -> [Line] {
        let body = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? bytes[3...] : bytes[...]
        return body.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).enumerated().map {
            Line(number: $0 + 1, bytes: $1.last == UInt8(ascii: "\r") ? $1.dropLast() : $1)
        }
    }
}
