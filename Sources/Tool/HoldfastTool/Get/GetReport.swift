import Foundation
import HTTPTypes
import HoldfastBase
import HoldfastTransport
import HoldfastTrust

/// The report on one run of `holdfast get`.
struct GetReport: Sendable {
    let request: HTTPRequest
    let journal: GetJournal
    let result: GetResult?
    let failure: GetFailure?
    let duration: Duration

    /// The lines for a person, except the sentence about the failure.
    var lines: [String] {
        if let failure { return failure.lines }
        guard let result, let file = result.file else { return [] }
        let names = result.verified.map(\.algorithm.rawValue).joined(separator: ", ")
        return ["\(Printable.text(file)): \(result.bytes) bytes" + (names.isEmpty ? "" : ", verified: \(names)")]
    }

    /// One JSON object on one line, without a trailing line break. docs/get.md lists the fields.
    var json: String {
        let response = result?.response ?? journal.response
        // For a server without a verdict, the journal has at most the server of a redirect to it.
        let evidence = failure?.report ?? (failure?.status == .unreachable ? nil : journal.report)
        let value = JSONNode.Value.fields([
            ("exitCode", .number("\((failure?.status ?? .success).rawValue)")),
            ("method", .string(request.method.rawValue)), ("url", .string(journal.url.shown)),
            ("redirects", .list(journal.redirects.map(Self.json))),
            ("status", response.map { .number("\($0.status.code)") }),
            ("version", journal.facts.map { .string($0.version) }),
            ("fields", response.map { .list($0.headerFields.map(Self.json)) }),
            ("bytes", result.map { .number("\($0.bytes)") }), ("file", result?.file.map { .string($0) }),
            ("resumedAt", result?.resumedAt.map { .number("\($0)") }),
            ("verified", result.map { .list($0.verified.map(Self.json)) }),
            ("body", text.map { .string($0) }), ("base64", base64.map { .string($0) }),
            ("failure", failure.map(Self.json)),
            ("probe", evidence.map(\.json)),
            ("durationMicros", .number("\(WebSocketEvent.microseconds(duration))")),
        ])
        return TerminalSafety.json(JSONWriter.line(value))
    }

    /// The body as text, if it is valid UTF-8.
    private var text: String? { result?.body.flatMap { String(validating: $0, as: UTF8.self) } }

    /// The body in base64, if it is not text.
    private var base64: String? {
        text == nil ? result?.body.map { Data($0).base64EncodedString() } : nil
    }

    private static func json(_ redirect: GetJournal.Redirect) -> JSONNode.Value {
        .fields([("status", .number("\(redirect.status)")), ("url", .string(redirect.url.shown))])
    }

    private static func json(_ field: HTTPField) -> JSONNode.Value {
        .fields([("name", .string(field.name.rawName)), ("value", .string(field.value))])
    }

    private static func json(_ checksum: Checksum) -> JSONNode.Value {
        .fields([("algorithm", .string(checksum.algorithm.rawValue)), ("digest", .string(checksum.hex))])
    }

    private static func json(_ failure: GetFailure) -> JSONNode.Value {
        .fields([
            ("code", .string(failure.code)), ("reason", .string(failure.reason)),
            ("body", failure.body.map { .string($0) }), ("remedy", failure.remedy.map { .string($0) }),
        ])
    }
}
