/// The pins that a path must satisfy.
struct PinRequirement: Hashable, Sendable {
    /// One match in each set.
    var sets: [PinSet]
    /// All pins, for texts.
    var all: PinSet
    var enforcement: PinningRule.Enforcement
    /// The host of the rule that applies ("noted host" in RFC 7469).
    var notedHost: CanonicalHost
    var expires: Timestamp?

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
