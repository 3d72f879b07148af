import HoldfastTrust
import PinReports

/// One page of the list.
struct ReportQuery: Hashable, Sendable {
    /// The allowed number of reports on a page.
    static let limits = 1...200

    var filter = ReportFilter()
    /// Only reports with smaller numbers, which are older.
    var before: Int64?
    var limit = 50
}

/// A reader's filter.
struct ReportFilter: Hashable, Sendable {
    /// The host that the app connected to.
    var host: CanonicalHost?
    var result: TrustKitResult?
    /// The earliest time of arrival.
    var since: Timestamp?
}

/// A stored report in a list.
struct StoredReport: Hashable, Sendable {
    var id: Int64
    var receivedAt: Timestamp
    /// The parsed report as JSON.
    var details: String

    /// Returns the report's number, time and other fields. `body` is included as the report itself.
    func json(body: [UInt8]? = nil) throws(JSONFault) -> JSONNode.Value {
        var fields: [(String, JSONNode.Value?)] = [("id", .number(String(id))), ("receivedAt", .text(receivedAt))]
        if case .object(let members) = try JSONReader.read(Array(details.utf8)).value {
            fields += members.map { ($0.key, $0.value.value) }
        }
        if let body { fields.append(("report", try JSONReader.read(body).value)) }
        return .fields(fields)
    }
}

/// Report counts by host, result and day.
struct ReportSummary: Hashable, Sendable {
    /// The maximum number of lines; the answer says whether lines were omitted.
    static let rowLimit = 1_000

    /// The reports of one host with one result on one day.
    struct Line: Hashable, Sendable {
        /// Days since 1970-01-01, UTC.
        var day: Int64
        var host: String
        var result: TrustKitResult?
        var count: Int
    }

    var rows: [Line]
    var isCut: Bool
    /// The number of all stored reports, independent of the filter.
    var reports: Int
    var bytes: Int64

    var json: JSONNode.Value {
        .fields([
            ("kept", .fields([("reports", .number(String(reports))), ("bytes", .number(String(bytes)))])),
            ("cut", .bool(isCut)), ("counts", .list(rows.map(\.json))),
        ])
    }
}

extension ReportSummary.Line {
    fileprivate var json: JSONNode.Value {
        let (seconds, overflow) = day.multipliedReportingOverflow(by: 86_400)
        let date = Timestamp(secondsSince1970: overflow ? .max : seconds).description.prefix(10)
        return .fields([
            ("day", .string(String(date))), ("host", .string(host)),
            ("result", result.map { .string($0.name) } ?? .null),
            ("count", .number(String(count))),
        ])
    }
}
