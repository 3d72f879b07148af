package import HTTPTypes
package import HoldfastTrust

/// A refused request: a status, and the reason as JSON.
package struct RequestRefusal: Error, Hashable, Sendable {
    package var status: HTTPResponse.Status
    /// The stable code, safe as a metric label.
    package var code: String
    /// A description in one sentence. It contains nothing of the request except names of the known formats.
    package var reason: String
    /// The field of the report, and its position in the text.
    package var field: String?
    package var position: SourcePosition?
    package var headers: HTTPFields = [:]

    package init(_ status: HTTPResponse.Status, _ code: String, _ reason: String, headers: HTTPFields = [:]) {
        self.status = status
        self.code = code
        self.reason = reason
        self.headers = headers
    }

    /// Creates the refusal of an invalid report.
    package init(_ fault: ReportFault) {
        self.init(.badRequest, fault.code.rawValue, fault.reason)
        field = fault.field
        position = fault.position
    }

    /// Creates the refusal of a report that is too large.
    package init(tooLarge limits: PinReportLimits) {
        self.init(.contentTooLarge, "tooLarge", "A report can have at most \(limits.bodyBytes) bytes.")
    }

    /// The refusal of a report whose identifier belongs to another report.
    package static let identifierTaken = RequestRefusal(
        .conflict, "identifierTaken", "Another report with the same identifier was already received.")

    /// The body of the response.
    package var json: JSONNode.Value {
        .fields([
            ("error", .string(code)), ("reason", .string(reason)),
            ("field", field.flatMap { $0.isEmpty ? nil : .string($0) }),
            ("line", position.map { .number(String($0.line)) }),
            ("column", position.map { .number(String($0.column)) }),
        ])
    }
}
