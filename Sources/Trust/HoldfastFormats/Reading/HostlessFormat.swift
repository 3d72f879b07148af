import HoldfastTrust

/// Creates domains for formats that apply to one host but do not name it.
enum HostlessFormat {
    static func domain(
        _ host: String?, depth: HostPattern.Depth = .exact, _ pins: [PolicyPin], _ findings: inout Findings,
        what: String
    ) -> PolicyDomain {
        var domain = PolicyDomain(text: host ?? "", pattern: nil, pins: pins, path: "host", position: .start)
        if let host {
            domain.pattern = findings.pattern(host, depth: depth, "host", .start)
        } else {
            findings.error(
                .missingHost, "\(what) does not name a host: provide the host to which it applies", "host", .start)
        }
        return domain
    }
}
