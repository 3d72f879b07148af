/// Identifies a request for a token.
package struct TokenAttempt: Hashable, Sendable {
    package var number: UInt64

    package init(_ number: UInt64) {
        self.number = number
    }
}
