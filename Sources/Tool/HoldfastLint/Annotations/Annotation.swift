import HoldfastBase

/// A finding for programs that show findings next to code: code scanning and CI systems.
package struct Annotation: Hashable, Sendable {
    /// The severity.
    package enum Level: Hashable, Sendable {
        case error, warning, note
    }

    /// The severity.
    package var level: Level
    /// The kind of finding; stable.
    package var code: String
    /// The description. May contain text of a file or of a server.
    package var message: String
    /// The meaning of the code in general.
    package var meaning: String?
    /// How to fix findings of this kind.
    package var remedy: String?
    /// How to fix this finding.
    package var advice: String?
    /// The path of the file as given; `nil` for standard input, and for findings without a file.
    package var file: String?
    /// The line, counted from 1.
    package var line: Int?
    /// The column, counted from 1, in UTF-16 code units.
    package var column: Int?
    /// The subject of the finding: an element of the file, or a server.
    package var subject: String?

    /// Creates an annotation.
    package init(
        level: Level, code: String, message: String, meaning: String? = nil, remedy: String? = nil,
        advice: String? = nil, file: String? = nil, line: Int? = nil, column: Int? = nil, subject: String? = nil
    ) {
        self.level = level
        self.code = code
        self.message = message
        self.meaning = meaning
        self.remedy = remedy
        self.advice = advice
        self.file = file
        self.line = line
        self.column = column
        self.subject = subject
    }
}

/// Converts the columns of a file's findings, which count bytes, to UTF-16 code units, which other programs count.
package struct SourceColumns: Sendable {
    /// The largest column that is converted, because its line must be read. Editors do not show larger ones. An
    /// annotation with a larger one has no column.
    private static let limit = 10_000

    private let bytes: [UInt8]
    /// The offset of each line.
    private let starts: [Int]

    /// Reads the lines of a file. They end with a line feed.
    package init(_ bytes: [UInt8]) {
        self.bytes = bytes
        starts = [0] + bytes.indices.filter { bytes[$0] == UInt8(ascii: "\n") }.map { $0 + 1 }
    }

    /// Returns the column of a position, which counts bytes; `nil` if the file does not have the position, or the
    /// column is very large.
    package func utf16Column(line: Int, column: Int) -> Int? {
        guard line >= 1, line <= starts.count, column >= 1, column <= Self.limit else { return nil }
        let start = starts[line - 1]
        let end = start + column - 1
        guard end <= bytes.count else { return nil }
        return String(decoding: bytes[start..<end], as: UTF8.self).utf16.count + 1
    }
}
