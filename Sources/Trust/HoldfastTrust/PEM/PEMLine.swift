/// A line of a PEM text without the white space around it.
struct PEMLine: Hashable, Sendable {
    /// Counted from 1.
    var number: Int
    /// The offset of its first byte that is no white space.
    var start: Int
    /// The offset behind its last byte that is no white space.
    var end: Int
    /// The offset at which the line itself begins.
    var origin: Int
}
