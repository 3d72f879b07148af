/// Which of several rules that cover a host count.
public enum RulePrecedence: String, Hashable, Sendable, CaseIterable {
    /// The one with the longest host; for the same host the one that reaches least far.
    case mostSpecific
    /// All of them: a pin of any rule will do (OkHttp, `NSPinnedDomains`).
    case union
}
