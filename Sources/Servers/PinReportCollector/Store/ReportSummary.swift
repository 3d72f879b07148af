import HoldfastTrust

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
