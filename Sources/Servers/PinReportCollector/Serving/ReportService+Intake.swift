import HoldfastBase
import HTTPTypes
import HoldfastTrust

extension ReportService {
    /// Receives a report: checks the limits, the form and the content. Answers when the report is on the disk.
    func take(
        _ request: CollectorRequest, body: (Int) async throws -> [UInt8]?
    ) async throws -> CollectorAnswer {
        try admit(request.peer)
        try checkForm(request)
        let identifier = try identifier(request.head)
        let limits = configuration.limits
        guard let bytes = try await body(limits.bodyBytes) else {
            charge(request.peer, limits.bodyBytes)
            throw tooLarge
        }
        // Invalid reports are charged by their size, too.
        charge(request.peer, bytes.count)
        let report: ReceivedReport
        do throws(ReportFault) {
            report = try ReportReader.read(bytes, limits: limits)
        } catch {
            throw RequestRefusal(error)
        }
        let incoming = IncomingReport(
            report, body: bytes, identifier: identifier, receivedAt: configuration.clock.now())
        charge(request.peer, incoming.size, paid: bytes.count)
        switch try await stored({ try $0.add(incoming, limits: limits) }) {
        case .stored(let id):
            events.add(.stored(.init(id, incoming)))
            return answer(.created, id, isRepeated: false)
        case .repeated(let id):
            events.add(.repeated(id))
            return answer(.ok, id, isRepeated: true)
        case .conflicting:
            throw RequestRefusal(
                .conflict, "identifierTaken", "Another report with the same identifier was already received.")
        }
    }

    private func answer(_ status: HTTPResponse.Status, _ id: Int64, isRepeated: Bool) -> CollectorAnswer {
        CollectorAnswer(status, .fields([("id", .number(String(id))), ("repeated", .bool(isRepeated))]))
    }

    private var tooLarge: RequestRefusal {
        RequestRefusal(
            .contentTooLarge, "tooLarge", "A report can have at most \(configuration.limits.bodyBytes) bytes.")
    }

    private func checkForm(_ request: CollectorRequest) throws(RequestRefusal) {
        guard request.query == nil else {
            throw RequestRefusal(.badRequest, "invalidQuery", "Reports must be posted without parameters.")
        }
        let headers = request.head.headerFields
        guard Self.isJSON(headers[.contentType]) else {
            throw RequestRefusal(.unsupportedMediaType, "mediaType", "A report must be application/json in UTF-8.")
        }
        let coding = headers[.contentEncoding]?.lowercased() ?? "identity"
        guard coding == "identity" else {
            throw RequestRefusal(.unsupportedMediaType, "contentCoding", "A report must not have a content coding.")
        }
        // Refused before the body is read. A body without a length is measured while it is read.
        if let length = headers[.contentLength],
            Int64(length).map({ $0 > Int64(configuration.limits.bodyBytes) }) ?? true
        {
            throw tooLarge
        }
    }

    /// Returns whether the value is `application/json`, alone or with `charset=utf-8` (RFC 9110, section 8.3.1).
    static func isJSON(_ value: String?) -> Bool {
        guard let value, value.utf8.count <= 256 else { return false }
        let parts = value.lowercased().split(separator: ";").map { $0.filter { $0 != " " && $0 != "\t" && $0 != "\"" } }
        guard parts.first == "application/json" else { return false }
        return parts.dropFirst().allSatisfy { $0.isEmpty || $0 == "charset=utf-8" }
    }

    /// Returns the report's identifier, from the collector's own field or from `Idempotency-Key`, a quoted string that
    /// retrying clients send.
    private func identifier(_ head: HTTPRequest) throws(RequestRefusal) -> String? {
        let own = Self.identifierField.flatMap { head.headerFields[$0] }
        let key = Self.idempotencyField.flatMap { head.headerFields[$0] }.map(Self.unquoted)
        guard let value = own ?? key else { return nil }
        guard key ?? value == value else {
            throw RequestRefusal(
                .badRequest, "invalidIdentifier",
                "Holdfast-Report-ID and Idempotency-Key contain different identifiers.")
        }
        guard value.wholeMatch(of: #/[A-Za-z0-9\-._~:]{1,128}/#) != nil else {
            throw RequestRefusal(
                .badRequest, "invalidIdentifier",
                "Holdfast-Report-ID and Idempotency-Key must have 1 to 128 letters, digits or characters of -._~:.")
        }
        return value
    }

    /// Returns the content of a quoted string; other values unchanged.
    private static func unquoted(_ value: String) -> String {
        guard value.utf8.count >= 2, value.hasPrefix("\""), value.hasSuffix("\"") else { return value }
        return String(value.dropFirst().dropLast())
    }
}

extension ReportCollectorEvent.Stored {
    init(_ id: Int64, _ incoming: IncomingReport) {
        let report = incoming.report
        self.init(
            id: id, receivedAt: incoming.receivedAt, host: report.host.text, port: report.port, result: report.result,
            app: report.app.map { Printable.text("\($0.bundleID) \($0.version)") }, isEnforced: report.isEnforced)
    }
}
