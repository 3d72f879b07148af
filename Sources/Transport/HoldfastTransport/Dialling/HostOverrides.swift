import HoldfastTrust

/// The addresses to connect to in place of hosts, by canonical host.
struct HostOverrides: Sendable {
    private var addresses: [CanonicalHost: String] = [:]
    private var invalid: TransportError?

    /// Parses a table. An invalid table makes every lookup throw, so that a configuration error is noticed.
    init(_ table: [String: String]) {
        for (spelling, address) in table {
            do throws(HostError) {
                let host = try CanonicalHost(spelling)
                let target = try CanonicalHost(address).text
                if let other = addresses[host], other != target {
                    invalid = Self.error("the table has two addresses for \(host)")
                }
                addresses[host] = target
            } catch {
                invalid = Self.error(error.reason)
            }
        }
    }

    /// Returns the address to connect to for a host: an override, or the host itself.
    func address(for host: CanonicalHost) throws(TransportError) -> String {
        if let invalid { throw invalid }
        return addresses[host] ?? host.text
    }

    private static func error(_ reason: String) -> TransportError {
        TransportError(.invalidURL, in: .preparing, "The host overrides cannot be used: \(reason)")
    }
}
