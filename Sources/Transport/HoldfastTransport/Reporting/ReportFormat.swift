/// The format of a report.
public enum ReportFormat: String, Hashable, Sendable, CaseIterable {
    /// TrustKit's JSON, field for field.
    case trustKit
    /// The JSON of RFC 7469, 3.
    case hpkp
}
