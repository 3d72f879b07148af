/// The formats of reports.
enum ReceivedReportFormat: String, Hashable, Sendable, CaseIterable {
    /// TrustKit's format, on iOS or Android.
    case trustKit = "trustkit"
    /// RFC 7469, section 3.
    case hpkp
}
