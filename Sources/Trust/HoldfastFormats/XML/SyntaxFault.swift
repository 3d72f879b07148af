import HoldfastTrust

/// Why bytes are not XML, or not a property list, and where.
struct SyntaxFault: Error, Hashable, Sendable {
    /// A stable name, as in `binary-property-list`; it becomes the diagnostic's code.
    var code: String
    /// One sentence.
    var reason: String
    /// Where reading stopped.
    var position: SourcePosition
}
