/// A rule that did not hold.
package struct Complaint: Hashable, Sendable {
    package var rule: Rule
    /// Milliseconds from the start of the run.
    package var time: Int64
    package var text: String
}
