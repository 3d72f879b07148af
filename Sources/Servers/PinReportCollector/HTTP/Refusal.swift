import HTTPTypes
import HoldfastTrust

/// A request that is refused: a status, and what is wrong as JSON.
struct Refusal: Error, Hashable, Sendable {
    var status: HTTPResponse.Status
    /// Stable, and a safe metric label.
    var code: String
    /// One sentence. It repeats nothing of the request but names from our own formats.
    var reason: String
    /// The field of the report, and its place in the text.
    var field: String?
    var position: SourcePosition?
    var headers: HTTPFields = [:]

    init(_ status: HTTPResponse.Status, _ code: String, _ reason: String, headers: HTTPFields = [:]) {
        self.status = status
        self.code = code
        self.reason = reason
        self.headers = headers
    }

    /// What a report's fault comes to.
    init(_ fault: ReportFault) {
        self.init(.badRequest, fault.code.rawValue, fault.reason)
        field = fault.field
        position = fault.position
    }

    var answer: CollectorAnswer {
        CollectorAnswer(
            status,
            .fields([
                ("error", .string(code)), ("reason", .string(reason)),
                ("field", field.flatMap { $0.isEmpty ? nil : .string($0) }),
                ("line", position.map { .number(String($0.line)) }),
                ("column", position.map { .number(String($0.column)) }),
            ]), headers: headers)
    }
}
