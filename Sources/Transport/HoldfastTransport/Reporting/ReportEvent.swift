/// An event of a report. Each is counted as `event` of the metric `holdfast.reports`.
public enum ReportEvent: String, Hashable, Sendable, CaseIterable {
    /// A failure was dropped, because too many were waiting to be processed.
    case overflow
    /// The same failure was already reported within the window.
    case duplicate
    /// The limit of reports per hour was reached.
    case rateLimited
    /// The failure was not selected by sampling.
    case sampledOut
    /// A report address in the policy uses neither https nor this machine.
    case badDestination
    /// The report is too large, even without its certificates.
    case tooLarge
    /// The limit for reports on disk, or for their bytes, was reached.
    case full
    /// The report could not be written to disk.
    case notKept
    /// The report is stored on disk and survives the end of the process.
    case kept
    /// The collector accepted the report.
    case sent
    /// The collector could not be reached or was not ready, or the report could not be read from disk. It will be tried
    /// again.
    case postponed
    /// The collector refused the report (a status from 300 to 499 other than 408 and 429).
    case refused
    /// The report was tried too often, or is too old.
    case expired
    /// The file of a report was unreadable or invalid, and was removed.
    case corrupt

    /// Whether the event means that a report was lost.
    public var isLoss: Bool {
        switch self {
        case .overflow, .badDestination, .tooLarge, .full, .notKept, .refused, .expired, .corrupt: true
        case .duplicate, .rateLimited, .sampledOut, .kept, .sent, .postponed: false
        }
    }
}
