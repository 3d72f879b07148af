import HoldfastTrust

/// A rule as a certain format can express it.
struct AdaptedDomain: Hashable, Sendable {
    var pattern: HostPattern
    var pins: [Pin]
    var everyScopeMustMatch: Bool
    /// Scopes in which nothing can match: every connection is refused.
    var requiredScopes: Set<Pin.Scope>
    var enforcement: PinningRule.Enforcement
    var expires: Timestamp?
    var isExcluded: Bool
    var reportURIs: [String]
    var path: String
    var position: SourcePosition?

    /// Whether no connection can pass.
    var refusesEverything: Bool {
        !isExcluded && (pins.isEmpty || requiredScopes.contains { scope in !pins.contains { $0.scope == scope } })
    }
}
