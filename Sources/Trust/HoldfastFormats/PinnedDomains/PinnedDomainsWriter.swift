import HoldfastTrust

/// Writes `NSPinnedDomains` below `NSAppTransportSecurity`.
enum PinnedDomainsWriter {
    static func text(of domains: [AdaptedDomain]) -> String {
        let pinned = domains.map { ($0.pattern.host.text, PropertyNode.Value?.some(domain($0))) }
        let security = PropertyNode.Value.fields([(PinnedDomainsKey.domains, .fields(pinned))])
        return PropertyListWriter.text(.fields([(PinnedDomainsKey.transportSecurity, security)]))
    }

    private static func domain(_ domain: AdaptedDomain) -> PropertyNode.Value {
        func identities(_ scope: Pin.Scope) -> PropertyNode.Value? {
            let pins = domain.pins.filter { $0.scope == scope }
            guard !pins.isEmpty || domain.requiredScopes.contains(scope) else { return nil }
            return .list(pins.map { .fields([(PinnedDomainsKey.hash, .string($0.digest.base64))]) })
        }
        return .fields([
            (PinnedDomainsKey.includesSubdomains, .bool(domain.pattern.depth == .apexAndOneLabel)),
            (PinnedDomainsKey.authorities, identities(.ca)),
            (PinnedDomainsKey.leaves, identities(.leaf)),
        ])
    }
}
