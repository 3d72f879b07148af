import HoldfastBase
import HoldfastTrust

extension ReportCollectorConfiguration {
    /// Throws for invalid settings, before anything is opened.
    func check() throws(ReportCollectorError) {
        guard (0...65_535).contains(port) else { throw invalid("\(port) is not a valid port: use 0 to 65535.") }
        for path in intakePaths {
            guard path.hasPrefix("/"), path.utf8.allSatisfy({ (0x21...0x7E).contains($0) }),
                !path.contains("?"), !path.contains("#")
            else {
                throw invalid("The path \"\(Printable.text(path))\" must begin with a slash and be plain text.")
            }
            guard path == Self.listPath || !Self.isReserved(path) else {
                throw invalid("The path \(path) is reserved for readers: reports cannot be posted there.")
            }
        }
        guard !intakePaths.isEmpty else { throw invalid("intakePaths must contain at least one path.") }
        try checkLimits()
        try desk.check()
        if let databaseURL { try ReportDatabaseURL.check(databaseURL, path: databasePath) }
        guard tls != nil || dangerouslyAllowsCleartext || isLoopback else {
            throw ReportCollectorError(
                .cleartext,
                "\(Printable.text(host)) is reachable from other machines: "
                    + "give a certificate and a key, or allow cleartext."
            )
        }
    }

    static let listPath = "/reports"
    static let summaryPath = "/reports/summary"
    static let healthPath = "/health"
    static let livePath = "/health/live"
    static let readyPath = "/health/ready"

    static func isReserved(_ path: String) -> Bool {
        path == listPath || path.hasPrefix(listPath + "/") || path == healthPath || path.hasPrefix(healthPath + "/")
            || DeskRoute.owns(path) || path == MetricsService.path
    }

    /// Whether this machine may read without a token. If not, reading without a token is disabled.
    package var isReadableWithoutToken: Bool { token == nil && trustsThisMachine }

    /// Whether requests from this machine are likely to come from its users, not from a reverse proxy.
    var trustsThisMachine: Bool { dangerouslyAllowsReadingWithoutToken || (isLoopback && limits.burst > 0) }

    private var isLoopback: Bool { (try? CanonicalHost(host))?.isLoopback == true }

    /// The largest allowed value of ``ReportCollectorLimits/headerBytes`` in bytes.
    ///
    /// - Error: `ReportCollectorError.Code.invalidConfiguration`
    private static let mostHeaderBytes = 1 << 20

    private func checkLimits() throws(ReportCollectorError) {
        let positive: [(String, Int)] = [
            ("bodyBytes", limits.bodyBytes), ("chainLength", limits.chainLength),
            ("certificateBytes", limits.certificateBytes), ("stringBytes", limits.stringBytes),
            ("pins", limits.pins), ("connections", limits.connections),
            ("connectionsPerPeer", limits.connectionsPerPeer), ("headerBytes", limits.headerBytes),
            ("headerFields", limits.headerFields), ("rememberedPeers", limits.rememberedPeers),
            ("storedReports", limits.storedReports), ("bytesPerCount", limits.bytesPerCount),
            ("incidents", limits.incidents), ("identities", limits.identities), ("queuedReports", limits.queuedReports),
            ("queuedBytes", limits.queuedBytes),
            ("storedBytes", Int(clamping: limits.storedBytes)),
        ]
        for (name, value) in positive where value < 1 { throw invalid("\(name) must be at least 1.") }
        guard limits.bodyBytes <= JSONReader.maximumSize else {
            throw invalid("bodyBytes must be at most \(JSONReader.maximumSize).")
        }
        guard limits.headerBytes <= Self.mostHeaderBytes else {
            throw invalid("headerBytes must be at most \(Self.mostHeaderBytes).")
        }
        // A report that is larger than the whole store would be removed immediately.
        guard limits.storedBytes >= Int64(limits.bodyBytes) else {
            throw invalid("storedBytes must be at least bodyBytes.")
        }
        guard limits.burst >= 0, limits.unknownMembers >= 0, limits.bodiesPerSecond >= 0 else {
            throw invalid("burst, unknownMembers and bodiesPerSecond must be at least 0.")
        }
        guard limits.burst == 0 || limits.perMinute >= 1 else { throw invalid("perMinute must be at least 1.") }
        let times = [
            limits.exchangeTime, limits.shutdownTime, limits.storedFor, limits.repetitionWindow, limits.identityTime,
        ]
        guard times.allSatisfy({ $0 > .zero }) else { throw invalid("A time limit must be greater than zero.") }
    }

    private func invalid(_ reason: String) -> ReportCollectorError {
        ReportCollectorError(.invalidConfiguration, reason)
    }
}
