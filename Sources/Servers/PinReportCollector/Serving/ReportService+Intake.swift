import HoldfastBase
import HTTPTypes
import HoldfastTrust

extension ReportService {
    /// Takes a report: limits first, then its form, then what it says; answered when it is on the disk.
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
        // It costs what it takes, also where it turns out to be no report.
        charge(request.peer, bytes.count)
        let report: ReceivedReport
        do throws(ReportFault) {
            report = try ReportReader.read(bytes, limits: limits)
        } catch {
            throw Refusal(error)
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
            throw Refusal(
                .conflict, "identifierTaken", "Another report with the same identifier has come before.")
        }
    }

    private func answer(_ status: HTTPResponse.Status, _ id: Int64, isRepeated: Bool) -> CollectorAnswer {
        CollectorAnswer(status, .fields([("id", .number(String(id))), ("repeated", .bool(isRepeated))]))
    }

    private var tooLarge: Refusal {
        Refusal(.contentTooLarge, "tooLarge", "A report has at most \(configuration.limits.bodyBytes) bytes.")
    }

    private func checkForm(_ request: CollectorRequest) throws(Refusal) {
        guard request.query == nil else {
            throw Refusal(.badRequest, "invalidQuery", "Reports are posted without parameters.")
        }
        let headers = request.head.headerFields
        guard Self.isJSON(headers[.contentType]) else {
            throw Refusal(.unsupportedMediaType, "mediaType", "A report is application/json in UTF-8.")
        }
        let coding = headers[.contentEncoding]?.lowercased() ?? "identity"
        guard coding == "identity" else {
            throw Refusal(.unsupportedMediaType, "contentCoding", "A report comes without content coding.")
        }
        // Refused before it is read; a body without a length is measured while it is read.
        if let length = headers[.contentLength],
            Int64(length).map({ $0 > Int64(configuration.limits.bodyBytes) }) ?? true
        {
            throw tooLarge
        }
    }

    /// `application/json`, alone or with `charset=utf-8` (RFC 9110, 8.3.1).
    static func isJSON(_ value: String?) -> Bool {
        guard let value, value.utf8.count <= 256 else { return false }
        let parts = value.lowercased().split(separator: ";").map { $0.filter { $0 != " " && $0 != "\t" && $0 != "\"" } }
        guard parts.first == "application/json" else { return false }
        return parts.dropFirst().allSatisfy { $0.isEmpty || $0 == "charset=utf-8" }
    }

    /// The report's name: from our own field, or from the one that retrying clients set, a string in quotes.
    private func identifier(_ head: HTTPRequest) throws(Refusal) -> String? {
        let own = Self.identifierField.flatMap { head.headerFields[$0] }
        let key = Self.idempotencyField.flatMap { head.headerFields[$0] }.map(Self.unquoted)
        guard let value = own ?? key else { return nil }
        guard key ?? value == value else {
            throw Refusal(
                .badRequest, "invalidIdentifier", "Holdfast-Report-ID and Idempotency-Key name different reports.")
        }
        guard value.wholeMatch(of: #/[A-Za-z0-9\-._~:]{1,128}/#) != nil else {
            throw Refusal(
                .badRequest, "invalidIdentifier",
                "A Holdfast-Report-ID, or an Idempotency-Key, has 1 to 128 letters, digits and characters of -._~:.")
        }
        return value
    }

    /// The content of a string in quotes; anything else as it is.
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
