/// One page of the list.
struct ReportQuery: Hashable, Sendable {
    /// Reports of one page.
    static let limits = 1...200

    var filter = ReportFilter()
    /// Only reports with smaller numbers: older ones.
    var before: Int64?
    var limit = 50
}
