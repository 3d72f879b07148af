package import HoldfastTrust

/// Why a report is invalid, with the position.
package struct ReportFault: Error, Hashable, Sendable {
    /// The kind of fault. Stable, and safe as a metric label.
    package enum Code: String, Hashable, Sendable, CaseIterable {
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

    package var code: Code
    /// The field, such as `known-pins[2]`; empty for the report as a whole.
    package var field: String
    package var position: SourcePosition
    /// A description in one sentence. It contains nothing of the report.
    package var reason: String

    package init(_ code: Code, _ field: String, _ position: SourcePosition, _ reason: String) {
        self.code = code
        self.field = field
        self.position = position
        self.reason = reason
    }
}
