/// What is left out of reports.
public struct ReportRedaction: OptionSet, Hashable, Sendable {
    public let rawValue: UInt8
    public init(rawValue: UInt8) { self.rawValue = rawValue }

    /// The identifier of the installation is left empty.
    public static let installation = ReportRedaction(rawValue: 1)
    /// The host that was asked for is replaced by the host of the rule, so that subdomains that name customers stay at
    /// home.
    public static let hostname = ReportRedaction(rawValue: 2)
    /// The certificates are left out. A certificate can name the operator of a proxy that inspects the traffic.
    public static let certificates = ReportRedaction(rawValue: 4)
}
