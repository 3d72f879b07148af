/// How a format understands what it says, where formats differ.
public struct PolicySemantics: Hashable, Sendable {
    /// What a host with an empty list of pins means.
    public enum EmptyPins: String, Hashable, Sendable {
        /// The file is wrong.
        case error
        /// The host is not pinned.
        case unpinned
        /// Every connection is refused.
        case refuse
    }

    /// Which of several rules for a host count.
    public var precedence: RulePrecedence
    /// How many pins a host needs.
    public var backupPins: BackupPins
    /// What an empty list of pins means.
    public var emptyPins: EmptyPins
    /// Whether hosts without a rule are refused.
    public var requiresRuleForEveryHost: Bool

    /// Chooses semantics.
    public init(
        precedence: RulePrecedence = .mostSpecific, backupPins: BackupPins = .required(2),
        emptyPins: EmptyPins = .error, requiresRuleForEveryHost: Bool = false
    ) {
        self.precedence = precedence
        self.backupPins = backupPins
        self.emptyPins = emptyPins
        self.requiresRuleForEveryHost = requiresRuleForEveryHost
    }
}
