/// A place in a file, counted as editors count: the first line is 1, the first column is 1, columns in UTF-8 bytes.
public struct SourcePosition: Hashable, Comparable, Sendable, CustomStringConvertible {
    /// The line, from 1.
    public var line: Int
    /// The column, from 1.
    public var column: Int

    /// Names a place.
    public init(line: Int, column: Int) {
        self.line = line
        self.column = column
    }

    /// Where a file begins.
    public static let start = SourcePosition(line: 1, column: 1)

    public static func < (lhs: SourcePosition, rhs: SourcePosition) -> Bool {
        (lhs.line, lhs.column) < (rhs.line, rhs.column)
    }

    public var description: String { "\(line):\(column)" }
}
