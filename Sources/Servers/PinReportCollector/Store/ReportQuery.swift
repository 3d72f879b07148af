/// One page of the list.
struct ReportQuery: Hashable, Sendable {
    /// The allowed number of reports on a page.
    static let limits = 1...200

    var filter = ReportFilter()
    /// Only reports with smaller numbers, which are older.
    var before: Int64?
    var limit = 50
}
