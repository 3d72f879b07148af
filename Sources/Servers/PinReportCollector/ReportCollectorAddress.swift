/// Where a ``ReportCollector`` listens.
public struct ReportCollectorAddress: Hashable, Sendable {
    /// The host or address, as it was configured.
    public let host: String
    /// The port.
    public let port: Int
    /// Whether it speaks TLS.
    public let isSecure: Bool

    /// The URL of the collector, without a slash at its end. Reports go to one of the paths of
    /// ``ReportCollectorConfiguration/intakePaths`` below it.
    public var url: String { "\(isSecure ? "https" : "http")://\(host.contains(":") ? "[\(host)]" : host):\(port)" }
}
