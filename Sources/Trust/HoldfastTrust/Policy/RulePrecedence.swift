/// Which of several rules that cover a host count.
public enum RulePrecedence: String, Hashable, Sendable, CaseIterable {
    /// The one with the longest host; for the same host the one that reaches least far. It counts alone, also when it has
    /// expired.
    case mostSpecific
    /// All of them that have not expired: a pin of any rule is enough, and one rule that enforces is enough (OkHttp,
    /// `NSPinnedDomains`). An exclusion counts only as the most specific rule.
    case union
}
