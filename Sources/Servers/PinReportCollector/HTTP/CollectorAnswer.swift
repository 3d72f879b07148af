import HTTPTypes
import HoldfastBase
import HoldfastTrust
import HummingbirdCore
import NIOCore

/// An answer: a status and JSON.
struct CollectorAnswer: Sendable {
    var status: HTTPResponse.Status
    var json: JSONNode.Value
    var headers: HTTPFields

    init(_ status: HTTPResponse.Status, _ json: JSONNode.Value, headers: HTTPFields = [:]) {
        self.status = status
        self.json = json
        self.headers = headers
    }

    /// Returns the response, with the clock's time.
    func response(at time: Timestamp) -> Response {
        var headers = headers
        headers[.contentType] = "application/json; charset=utf-8"
        headers[.cacheControl] = "no-store"
        headers[.xContentTypeOptions] = "nosniff"
        headers[.server] = "holdfast"
        if let date = HTTPDate(seconds: time.secondsSince1970) { headers[.date] = date.description }
        return Response(
            status: status, headers: headers,
            body: ResponseBody(byteBuffer: ByteBuffer(string: JSONWriter.text(json))))
    }
}

/// A refused request: a status, and the reason as JSON.
struct RequestRefusal: Error, Hashable, Sendable {
    var status: HTTPResponse.Status
    /// The stable code, safe as a metric label.
    var code: String
    /// A description in one sentence. It contains nothing of the request except names of the known formats.
    var reason: String
    /// The field of the report, and its position in the text.
    var field: String?
    var position: SourcePosition?
    var headers: HTTPFields = [:]

    init(_ status: HTTPResponse.Status, _ code: String, _ reason: String, headers: HTTPFields = [:]) {
        self.status = status
        self.code = code
        self.reason = reason
        self.headers = headers
    }

    /// Creates the refusal of an invalid report.
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
