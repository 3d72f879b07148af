import HoldfastBase
import HTTPTypes
import HoldfastTrust
import PinReports

extension ReportService {
    /// Receives a report: checks the limits, the form and the content. Answers when the report is on the disk.
    func take(
        _ request: CollectorRequest, body: (Int) async throws -> [UInt8]?
    ) async throws -> CollectorAnswer {
        try admit(request.peer)
        let limits = configuration.limits
        let form = try ReportForm(
            request.head.headerFields, hasQuery: request.query != nil, limits: limits.report)
        guard let bytes = try await body(limits.bodyBytes) else {
            charge(request.peer, limits.bodyBytes)
            throw RequestRefusal(tooLarge: limits.report)
        }
        // Invalid reports are charged by their size, too.
        charge(request.peer, bytes.count)
        let report: ReceivedReport
        do throws(ReportFault) {
            report = try ReportReader.read(bytes, limits: limits.report)
        } catch {
            throw RequestRefusal(error)
        }
        var incoming = IncomingReport(
            report, body: bytes, identifier: form.identifier, receivedAt: configuration.clock.now())
        charge(request.peer, incoming.size, paid: bytes.count)
        incoming.mark(plans)
        sample(&incoming)
        switch try await intake.add(incoming) {
        case .stored(let id):
            events.add(.stored(.init(id, incoming)))
            return answer(.created, id, isRepeated: false)
        case .repeated(let id):
            events.add(.repeated(id))
            return answer(.ok, id, isRepeated: true)
        case .conflicting:
            throw RequestRefusal.identifierTaken
        }
    }

    private func answer(_ status: HTTPResponse.Status, _ id: Int64, isRepeated: Bool) -> CollectorAnswer {
        var headers: HTTPFields = [:]
        setSampling(&headers)
        return CollectorAnswer(
            status, .fields([("id", .number(String(id))), ("repeated", .bool(isRepeated))]), headers: headers)
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
