import HoldfastTrust

/// Why a text is no report, and where in it.
struct ReportFault: Error, Hashable, Sendable {
    /// The kind of fault: stable, and a safe metric label.
    enum Code: String, Hashable, Sendable, CaseIterable {
        /// The text is no JSON, or JSON that is nested too deep.
        case invalidJSON
        /// A field must be there and is not.
        case missingField
        /// A field has a value of another type.
        case wrongType
        /// A field's value cannot be what it says.
        case invalidValue
        /// There is more of something than is read.
        case tooMuch
    }

    var code: Code
    /// The field, as in `known-pins[2]`; empty for the report as a whole.
    var field: String
    var position: SourcePosition
    /// One sentence. It repeats nothing of the report.
    var reason: String

    init(_ code: Code, _ field: String, _ position: SourcePosition, _ reason: String) {
        self.code = code
        self.field = field
        self.position = position
        self.reason = reason
    }
}
