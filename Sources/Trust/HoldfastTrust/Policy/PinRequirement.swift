/// The pins that a path must satisfy.
struct PinRequirement: Hashable, Sendable {
    /// One match in each set.
    var sets: [PinSet]
    /// All pins, for texts.
    var all: PinSet
    /// What goes into the verdict.
    var facts: PinningFacts

    var enforcement: PinningRule.Enforcement { facts.enforcement }
    var notedHost: CanonicalHost { facts.notedHost }

    /// The pins that match, one for each set; `nil` unless every set has one.
    func match(on path: VerifiedPath) -> Pin? {
        var first: Pin?
        for set in sets {
            guard let pin = set.match(on: path) else { return nil }
            first = first ?? pin
        }
        return first
    }
}
