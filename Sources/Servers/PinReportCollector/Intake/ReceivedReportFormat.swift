/// The formats in which reports come.
enum ReceivedReportFormat: String, Hashable, Sendable, CaseIterable {
    /// TrustKit's, of iOS or of Android.
    case trustKit = "trustkit"
    /// RFC 7469, 3.
    case hpkp
}
