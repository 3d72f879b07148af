/// A JSON number in its original spelling. The protocol does not calculate with fractions, so numbers are never
/// rounded.
package struct JSONNumber: Hashable, Sendable {
    /// The original text of the number.
    package let lexeme: String

    /// The largest length of a number with a value, in bytes. Longer numbers are kept unchanged.
    static let longestLexeme = 64

    /// Creates a whole number.
    package init(_ value: Int64) {
        self.lexeme = String(value)
    }

    /// Creates a number from text that the parser has already validated against the JSON grammar.
    init(checkedLexeme lexeme: String) {
        self.lexeme = lexeme
    }

    /// The value as a 64-bit integer. `3.0` and `3e2` are accepted up to 2^53, the limit for exact doubles.
    package var integer: Int64? {
        if let exact = Int64(lexeme) { return exact }
        // A peer may send a million digits. The limit avoids parsing them.
        guard lexeme.utf8.count <= Self.longestLexeme else { return nil }
        guard let double = Double(lexeme), double.magnitude <= 9_007_199_254_740_992 else { return nil }
        return Int64(exactly: double)
    }
}
