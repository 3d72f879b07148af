/// The address of a running ``ReportCollector``.
public struct ReportCollectorAddress: Hashable, Sendable {
    /// The configured host or IP address.
    public let host: String
    /// The port.
    public let port: Int
    /// Whether the collector uses TLS.
    public let isSecure: Bool

    /// The collector's URL, without a trailing slash. Reports are posted to the paths in
    /// ``ReportCollectorConfiguration/intakePaths`` below it.
    public var url: String { "\(isSecure ? "https" : "http")://\(host.contains(":") ? "[\(host)]" : host):\(port)" }
}
