public import HTTPTypes
public import HoldfastTrust

/// How reports are sent to one address.
public struct ReportEndpoint: Sendable {
    /// Header fields that each report carries, such as `Authorization`. They are kept in memory alone and sent to this address alone.
    public var fields: HTTPFields
    /// The forms in which a failure is told; each is a request of its own. `nil`: those of ``PinFailureReporter/Configuration``.
    public var formats: Set<ReportFormat>?
    /// What is left out. `nil`: what ``PinFailureReporter/Configuration`` says.
    public var redaction: ReportRedaction?

    /// Describes an address.
    public init(fields: HTTPFields = [:], formats: Set<ReportFormat>? = nil, redaction: ReportRedaction? = nil) {
        self.fields = fields
        self.formats = formats
        self.redaction = redaction
    }
}
