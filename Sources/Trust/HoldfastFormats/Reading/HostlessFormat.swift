import HoldfastTrust

/// Formats that hold for one host and do not name it.
enum HostlessFormat {
    static func domain(
        _ host: String?, depth: HostPattern.Depth = .exact, _ pins: [PolicyPin], _ findings: inout Findings,
        what: String
    ) -> PolicyDomain {
        var domain = PolicyDomain(text: host ?? "", pattern: nil, pins: pins, path: "host", position: .start)
        if let host {
            domain.pattern = findings.pattern(host, depth: depth, "host", .start)
        } else {
            findings.error(.missingHost, "\(what) names no host: say for which one it is meant", "host", .start)
        }
        return domain
    }
}
