import HoldfastTrust

/// A rule as a certain format can express it.
struct AdaptedDomain: DocumentPart, Hashable, Sendable {
    var pattern: HostPattern
    var pins: [Pin]
    var everyScopeMustMatch: Bool
    /// Scopes of which a pin must match, also where none is listed for them.
    var requiredScopes: Set<Pin.Scope>
    var enforcement: PinningRule.Enforcement
    var expires: Timestamp?
    var isExcluded: Bool
    var reportURIs: [String]
    /// Whether nothing may pass, whatever other rules say; and not only that this rule lets nothing pass.
    var mustRefuse = false
    var path: String
    var position: SourcePosition?

    /// Whether no connection can pass.
    var refusesEverything: Bool {
        guard !isExcluded else { return false }
        let scopes = Set(pins.map(\.scope))
        return pins.isEmpty || !requiredScopes.isSubset(of: scopes)
    }

    /// Adds what another rule asks for: a pin of either will do from then on, in each scope that either needs.
    mutating func add(_ other: AdaptedDomain) {
        append(other)
        removeDuplicates()
    }

    /// The same, with duplicates left in place: for many rules one after the other.
    mutating func append(_ other: AdaptedDomain) {
        pins += other.pins
        everyScopeMustMatch = everyScopeMustMatch || other.everyScopeMustMatch
        requiredScopes.formUnion(other.requiredScopes)
        if other.enforcement == .enforce { enforcement = .enforce }
        reportURIs += other.reportURIs
    }

    mutating func removeDuplicates() {
        pins = pins.distinct()
        reportURIs = reportURIs.distinct()
    }
}

extension Sequence where Element: Hashable {
    /// Each element once, in the order in which they come first.
    func distinct() -> [Element] {
        var seen: Set<Element> = []
        return filter { seen.insert($0).inserted }
    }
}
