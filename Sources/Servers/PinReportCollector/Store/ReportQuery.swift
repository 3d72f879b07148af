package import HoldfastTrust
import PinReports

/// One page of the list.
package struct ReportQuery: Hashable, Sendable {
    /// The allowed number of reports on a page.
    ///
    /// - Error: 400 `invalidQuery`
    package static let limits = 1...200

    package var filter = ReportFilter()
    /// Only reports with smaller numbers, which are older.
    package var before: Int64?
    package var limit = 50
}

/// A reader's filter.
package struct ReportFilter: Hashable, Sendable {
    /// The host that the app connected to.
    package var host: CanonicalHost?
    package var result: TrustKitResult?
    /// The earliest time of arrival.
    package var since: Timestamp?
}

/// A stored report in a list.
package struct StoredReport: Hashable, Sendable {
    package var id: Int64
    package var receivedAt: Timestamp
    /// The parsed report as JSON.
    package var details: String

    /// Returns the report's number, time and other fields. `body` is included as the report itself.
    package func json(body: [UInt8]? = nil) throws(JSONFault) -> JSONNode.Value {
        var fields: [(String, JSONNode.Value?)] = [
            ("id", .number(String(id))), ("receivedAt", .text(receivedAt)),
        ]
        if case .object(let members) = try JSONReader.read(Array(details.utf8)).value {
            fields += members.map { ($0.key, $0.value.value) }
        }
        if let body { fields.append(("report", try JSONReader.read(body).value)) }
        return .fields(fields)
    }
}

/// Report counts by host, result and day.
package struct ReportSummary: Hashable, Sendable {
    /// The maximum number of lines; the answer says whether lines were omitted.
    package static let rowLimit = 1_000

    /// The reports of one host with one result on one day.
    package struct Line: Hashable, Sendable {
        /// Days since 1970-01-01, UTC.
        package var day: Int64
        package var host: String
        package var result: TrustKitResult?
        package var count: Int
    }

    package var rows: [Line]
    package var isCut: Bool
    /// The number of all stored reports, independent of the filter.
    package var reports: Int
    package var bytes: Int64

    package var json: JSONNode.Value {
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
