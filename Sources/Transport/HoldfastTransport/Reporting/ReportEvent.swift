/// What became of a report. Each is counted, as `event` of the metric `holdfast.reports`.
public enum ReportEvent: String, Hashable, Sendable, CaseIterable {
    /// A failure was not taken: too many were waiting to be looked at.
    case overflow
    /// The same failure was reported within the window.
    case duplicate
    /// There were enough reports within the hour.
    case rateLimited
    /// It was not drawn for the share that is sent.
    case sampledOut
    /// An address of the policy is none that a report may go to: neither https nor this machine.
    case badDestination
    /// A report has more bytes than it may, without its certificates, too.
    case tooLarge
    /// As many reports, or bytes of them, are waiting on the disk as may.
    case full
    /// The disk did not take it.
    case notKept
    /// It is on the disk, and from here on survives the end of the process.
    case kept
    /// The collector has it.
    case sent
    /// The collector could not be reached, or was not ready; or the disk did not hand the report out just now. It will be tried again.
    case postponed
    /// The collector does not want it (a status from 300 to 499 other than 408 and 429).
    case refused
    /// It was tried too often, or is too old.
    case expired
    /// A file of a report could not be read, or is none. It was removed.
    case corrupt

    /// Whether a report is lost by it that was to be sent.
    public var isLoss: Bool {
        switch self {
        case .overflow, .badDestination, .tooLarge, .full, .notKept, .refused, .expired, .corrupt: true
        case .duplicate, .rateLimited, .sampledOut, .kept, .sent, .postponed: false
        }
    }
}
