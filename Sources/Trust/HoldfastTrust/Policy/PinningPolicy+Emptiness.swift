extension PinningPolicy {
    /// Whether the policy leaves every decision to system verification: it has no rule with pins, no denied key and no
    /// anchors, and it does not refuse hosts without a rule.
    package var asksForNothing: Bool {
        let pinsNothing = disabledReason != nil || !requiresRuleForEveryHost && rules.allSatisfy(\.isExcluded)
        let hasAnchors = anchors.map { $0.replaceOthers || !$0.certificates.isEmpty } ?? false
        return pinsNothing && denied.isEmpty && !hasAnchors
    }
}
