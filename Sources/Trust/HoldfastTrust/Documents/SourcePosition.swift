/// A position in a file. Lines and columns start at 1; columns count UTF-8 bytes.
public struct SourcePosition: Hashable, Comparable, Sendable, CustomStringConvertible {
    /// The line, starting at 1.
    public var line: Int
    /// The column, starting at 1.
    public var column: Int

    /// Creates a position.
    public init(line: Int, column: Int) {
        self.line = line
        self.column = column
    }

    /// The beginning of a file.
    public static let start = SourcePosition(line: 1, column: 1)

    /// Returns whether the first value is ordered before the second.
    public static func < (lhs: SourcePosition, rhs: SourcePosition) -> Bool {
        (lhs.line, lhs.column) < (rhs.line, rhs.column)
    }

    /// A textual representation of the value.
    public var description: String { "\(line):\(column)" }
}
