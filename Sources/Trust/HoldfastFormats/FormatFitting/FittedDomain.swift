import HoldfastTrust

/// A rule in the form that the target format can express.
struct FittedDomain: DocumentPart, Hashable, Sendable {
    var pattern: HostPattern
    var pins: [Pin]
    var everyScopeMustMatch: Bool
    /// The scopes in which a pin must match, even if no pin is listed for them.
    var requiredScopes: Set<Pin.Scope>
    var enforcement: PinningRule.Enforcement
    var expires: Timestamp?
    var isExcluded: Bool
    var reportURIs: [String]
    /// The required certificate timestamps.
    var transparency: TransparencyRequirement?
    /// Whether the target must refuse every connection, regardless of other rules. A rule that only refuses connections
    /// by itself does not set this.
    var mustRefuse = false
    var path: String
    var position: SourcePosition?

    /// Whether the rule refuses every connection.
    var refusesEverything: Bool {
        guard !isExcluded else { return false }
        let scopes = Set(pins.map(\.scope))
        return pins.isEmpty || !requiredScopes.isSubset(of: scopes)
    }

    /// Combines this rule with another one: a pin of either rule then matches, in each scope that either rule requires.
    mutating func add(_ other: FittedDomain) {
        append(other)
        removeDuplicates()
    }

    /// Combines this rule with another one without removing duplicates, for combining many rules in sequence.
    mutating func append(_ other: FittedDomain) {
        pins += other.pins
        everyScopeMustMatch = everyScopeMustMatch || other.everyScopeMustMatch
        requiredScopes.formUnion(other.requiredScopes)
        if other.enforcement == .enforce { enforcement = .enforce }
        reportURIs += other.reportURIs
        transparency = transparency ?? other.transparency
    }

    mutating func removeDuplicates() {
        pins = pins.distinct()
        reportURIs = reportURIs.distinct()
    }
}

extension Sequence where Element: Hashable {
    /// Returns the elements without duplicates, in the order of their first occurrence.
    func distinct() -> [Element] {
        var seen: Set<Element> = []
        return filter { seen.insert($0).inserted }
    }
}
