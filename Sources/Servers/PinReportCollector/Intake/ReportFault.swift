import HoldfastTrust

/// Why a report is invalid, with the position.
struct ReportFault: Error, Hashable, Sendable {
    /// The kind of fault. Stable, and safe as a metric label.
    enum Code: String, Hashable, Sendable, CaseIterable {
        /// The text is not valid JSON, or is nested too deeply.
        case invalidJSON
        /// A required field is missing.
        case missingField
        /// A field has a value of the wrong type.
        case wrongType
        /// A field has an invalid value.
        case invalidValue
        /// A limit is exceeded.
        case tooMuch
    }

    var code: Code
    /// The field, such as `known-pins[2]`; empty for the report as a whole.
    var field: String
    var position: SourcePosition
    /// A description in one sentence. It contains nothing of the report.
    var reason: String

    init(_ code: Code, _ field: String, _ position: SourcePosition, _ reason: String) {
        self.code = code
        self.field = field
        self.position = position
        self.reason = reason
    }
}
