/// A route for readers.
enum ReaderRoute: Hashable, Sendable {
    case list
    case summary
    case report(Int64)
    case health

    init?(_ path: String) {
        switch path {
        case ReportCollectorConfiguration.listPath: self = .list
        case ReportCollectorConfiguration.summaryPath: self = .summary
        case ReportCollectorConfiguration.healthPath: self = .health
        default:
            let prefix = ReportCollectorConfiguration.listPath + "/"
            guard path.hasPrefix(prefix), let id = Int64(path.dropFirst(prefix.count)), id > 0 else { return nil }
            self = .report(id)
        }
    }
}
