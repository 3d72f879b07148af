/// The reasons why files cannot be checked, as opposed to findings in them.
package struct LintFailure: Error, Hashable, Sendable, CustomStringConvertible {
    /// One sentence for each problem, without a full stop.
    package let reasons: [String]

    /// Creates a failure with one reason.
    package init(_ reason: String) {
        self.init([reason])
    }

    /// Creates a failure with several reasons.
    package init(_ reasons: [String]) {
        self.reasons = reasons
    }

    /// All reasons in one line.
    package var description: String { reasons.joined(separator: "; ") }
}
