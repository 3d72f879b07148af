import HoldfastTrust

/// One change of a policy.
enum PolicyChange: String, CaseIterable {
    // Changes that keep or add protection.
    case addRule
    case replacePins
    case addPin
    case extendEnd
    case removeEnd
    case enforce
    case requireScope
    case refuseUnlisted
    case addDenied
    case shuffle
    case rename
    case removeAnchor
    case countPins
    case repeatBelow
    case widen

    // Changes that can take protection back.
    case removeRule
    case removeRuleAddParent
    case moveToParent
    case moveToChild
    case narrow
    case exclude
    case include
    case reportOnly
    case endSooner
    case anyEnd
    case anyScope
    case dropScope
    case dropPin
    case admitUnlisted
    case dropDenied
    case addAnchors
    case bypassPins
    case switchPrecedence
    case addExclusion
    case swapPatterns
    case emptyPins

    /// The changes that keep or add protection in most policies.
    static let keeping: [PolicyChange] = [
        .addRule, .replacePins, .replacePins, .addPin, .extendEnd, .removeEnd, .enforce, .requireScope,
        .refuseUnlisted, .addDenied, .shuffle, .rename, .removeAnchor, .countPins, .repeatBelow, .widen,
    ]
}
