/// A JSON number, kept as it was written. Nothing in the protocol computes with fractions, so none are rounded here.
package struct JSONNumber: Hashable, Sendable {
    /// The number as it stands in the text.
    package let lexeme: String

    /// Longer ones are kept as they are and have no value.
    static let longestLexeme = 64

    /// A whole number.
    package init(_ value: Int64) {
        self.lexeme = String(value)
    }

    /// A number from text that the parser has already checked against the JSON grammar.
    init(checkedLexeme lexeme: String) {
        self.lexeme = lexeme
    }

    /// The value as a 64-bit integer. `3.0` and `3e2` count as whole numbers up to 2^53, where a double is still exact.
    package var integer: Int64? {
        if let exact = Int64(lexeme) { return exact }
        // A peer may write a million digits; no number of the protocol needs so many.
        guard lexeme.utf8.count <= Self.longestLexeme else { return nil }
        guard let double = Double(lexeme), double.magnitude <= 9_007_199_254_740_992 else { return nil }
        return Int64(exactly: double)
    }
}
