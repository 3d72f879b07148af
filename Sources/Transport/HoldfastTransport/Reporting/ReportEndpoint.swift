public import HTTPTypes
public import HoldfastTrust

/// The settings for reports to one address.
public struct ReportEndpoint: Sendable {
    /// Header fields for each report, such as `Authorization`. They are kept only in memory and sent only to this
    /// address.
    public var fields: HTTPFields
    /// The formats to send, each in its own request. If `nil`, those of ``PinFailureReporter/Configuration``.
    public var formats: Set<ReportFormat>?
    /// The data to omit. If `nil`, the setting of ``PinFailureReporter/Configuration``.
    public var redaction: ReportRedaction?

    /// Creates settings.
    public init(fields: HTTPFields = [:], formats: Set<ReportFormat>? = nil, redaction: ReportRedaction? = nil) {
        self.fields = fields
        self.formats = formats
        self.redaction = redaction
    }
}
