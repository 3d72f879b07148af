import HoldfastBase

/// Defines which keys a host must present. An immutable value.
public struct PinningPolicy: Hashable, Sendable {
    /// The name of the policy in logs and verdicts.
    public let name: String
    /// The rules in the given order.
    public let rules: [PinningRule]
    /// Which rules apply if several rules cover a host.
    public let precedence: RulePrecedence
    /// Keys that are refused anywhere on a path, regardless of the rules.
    public let denied: PinSet
    /// Whether hosts without a rule are refused.
    public let requiresRuleForEveryHost: Bool
    /// Additional trust anchors of the policy.
    public let anchors: LocalAnchors?
    /// The reason why pinning is disabled, or `nil`. System verification stays enabled.
    public let disabledReason: String?
    /// Probable mistakes in a valid policy.
    public let warnings: [PolicyError.Problem]

    /// The indices in ``rules`` of the rules for a host, by its canonical text.
    private let index: [String: [Int]]

    /// Creates a policy.
    ///
    /// - Throws: ``PolicyError`` with every problem and its path: two rules for the same pattern, a rule without pins
    ///   that is not an exclusion, an enforced rule with fewer pins than `backupPins` requires, an empty name.
    public init(
        name: String, rules: [PinningRule], precedence: RulePrecedence = .mostSpecific, denied: [Pin] = [],
        requiresRuleForEveryHost: Bool = false, anchors: LocalAnchors? = nil, backupPins: BackupPins = .required(2)
    ) throws(PolicyError) {
        try self.init(
            name: name, rules: rules, precedence: precedence, denied: denied,
            requiresRuleForEveryHost: requiresRuleForEveryHost, anchors: anchors, backupPins: backupPins,
            allowsEmptyPins: false, places: rules.indices.map { "rules[\($0)]" })
    }

    /// Creates a policy from the rules of a document, with their paths in `places`.
    init(
        name: String, rules: [PinningRule], precedence: RulePrecedence, denied: [Pin],
        requiresRuleForEveryHost: Bool, anchors: LocalAnchors?, backupPins: BackupPins, allowsEmptyPins: Bool,
        places: [String]
    ) throws(PolicyError) {
        var problems: [PolicyError.Problem] = []
        var warnings: [PolicyError.Problem] = []
        if name.isEmpty { problems.append(.init(path: "name", reason: "the policy does not have a name")) }
        var seen: Set<HostPattern> = []
        for (rule, place) in zip(rules, places) {
            if !seen.insert(rule.pattern).inserted, precedence == .mostSpecific {
                problems.append(.init(path: place, reason: "a rule for \(rule.pattern) already exists"))
            }
            guard !rule.isExcluded else { continue }
            let keys = Set(rule.pins.pins.map(\.sha256)).count
            if keys == 0 {
                if !allowsEmptyPins, rule.requiredScopes.isEmpty {
                    problems.append(.init(path: place, reason: "the rule for \(rule.pattern) has no pins"))
                }
                continue
            }
            let thin =
                "the rule for \(rule.pattern) has no backup pin: if its one key is lost, every client is locked out"
            switch backupPins {
            case .required(let count) where rule.enforcement == .enforce && keys < count:
                let few = "the rule for \(rule.pattern) has \(keys) pins, expected at least \(count)"
                problems.append(.init(path: place, reason: keys == 1 ? thin : few))
            case .warn where keys < 2: warnings.append(.init(path: place, reason: thin))
            default: break
            }
        }
        guard problems.isEmpty else { throw PolicyError(problems: problems) }
        self.init(
            unchecked: name, rules: rules, precedence: precedence, denied: PinSet(denied),
            requiresRuleForEveryHost: requiresRuleForEveryHost, anchors: anchors, warnings: warnings)
    }

    /// Creates a policy without validation, for the documented initializers and foreign formats. They accept rules that
    /// Holdfast's own format refuses.
    package init(
        unchecked name: String, rules: [PinningRule], precedence: RulePrecedence = .mostSpecific,
        denied: PinSet = PinSet([]), requiresRuleForEveryHost: Bool = false, anchors: LocalAnchors? = nil,
        disabledReason: String? = nil, warnings: [PolicyError.Problem] = []
    ) {
        self.name = name
        self.rules = rules
        self.precedence = precedence
        self.denied = denied
        self.requiresRuleForEveryHost = requiresRuleForEveryHost
        self.anchors = anchors
        self.disabledReason = disabledReason
        self.warnings = warnings
        self.index = Dictionary(grouping: rules.indices) { rules[$0].host.text }
    }

    /// Returns a policy that disables pinning, for debugging. System verification stays enabled, and every verdict
    /// reports that pinning is disabled, with the reason. Does not depend on the build configuration.
    public static func disabled(reason: String) -> PinningPolicy {
        PinningPolicy(unchecked: "pinning disabled", rules: [], disabledReason: reason)
    }

    /// Returns the rules that cover a host, the most specific first: longest host first, then smallest depth. Performs
    /// one lookup for each label of the host, regardless of the number of rules.
    public func rules(covering host: CanonicalHost) -> [PinningRule] {
        host.textAndParents.enumerated().flatMap { matches($1, labelsBelow: $0) }
    }

    private func matches(_ text: Substring, labelsBelow count: Int) -> [PinningRule] {
        guard let places = index[String(text)] else { return [] }
        let covering = places.map { rules[$0] }.filter { $0.pattern.depth.covers(labelsBelow: count) }
        guard covering.count > 1 else { return covering }
        return covering.enumerated()
            .sorted { ($0.element.pattern.depth.reach, $0.offset) < ($1.element.pattern.depth.reach, $1.offset) }
            .map(\.element)
    }

    /// Whether a rule requires certificate timestamps.
    var requiresTransparency: Bool { rules.contains { $0.transparency != nil } }

    /// Whether the policy has no effect, so that system verification decides everything: it has no rule with pins or
    /// required certificate timestamps, no denied key and no anchors, and allows hosts without a rule.
    package var asksForNothing: Bool {
        let pinsNothing =
            disabledReason != nil
            || !requiresRuleForEveryHost && rules.allSatisfy { $0.isExcluded && $0.transparency == nil }
        let hasAnchors = anchors.map { $0.replaceOthers || !$0.certificates.isEmpty } ?? false
        return pinsNothing && denied.isEmpty && !hasAnchors
    }
}

/// Which rules apply if several rules cover a host.
public enum RulePrecedence: String, Hashable, Sendable, CaseIterable {
    /// Only the rule with the longest host applies; for the same host, the rule with the smallest depth. It is the only
    /// rule that applies even if it has expired.
    case mostSpecific
    /// All rules that have not expired are combined: one matching pin of any rule is sufficient, and one enforced rule
    /// makes the result enforced (OkHttp, `NSPinnedDomains`). An exclusion applies only as the most specific rule.
    case union
}

/// How many pins a host needs. With a single pin, a lost key locks out every installed app.
public enum BackupPins: Hashable, Sendable {
    /// An enforced rule must have at least this number of pins.
    case required(Int)
    /// Rules with fewer than two pins are reported in ``PinningPolicy/warnings``.
    case warn
    /// One pin is sufficient.
    case off
}

/// Additional trust anchors of a policy: a private CA, a debugging proxy, a corporate TLS inspection proxy.
public struct LocalAnchors: Hashable, Sendable {
    /// Whether pins apply to paths that end in one of these anchors.
    public enum Pinning: String, Hashable, Sendable, CaseIterable {
        /// Pins apply as for all other paths.
        case enforced
        /// Pins do not apply: the owner of one of these anchors can read the traffic to pinned hosts.
        case dangerouslyBypassed
        /// Pins do not apply, and every verdict contains a notice about it.
        case dangerouslyBypassedAndReported
    }

    /// The certificates of the anchors.
    public var certificates: [CertificateView]
    /// Whether the anchors replace those of the context instead of extending them.
    public var replaceOthers: Bool
    /// Whether pins apply to the anchors.
    public var pinning: Pinning

    /// Creates a list of anchors.
    public init(_ certificates: [CertificateView], replaceOthers: Bool = false, pinning: Pinning = .enforced) {
        self.certificates = certificates
        self.replaceOthers = replaceOthers
        self.pinning = pinning
    }

    /// Returns anchors that extend those of the context.
    public static func additional(_ certificates: [CertificateView]) -> LocalAnchors {
        LocalAnchors(certificates)
    }

    /// Returns anchors that replace those of the context.
    public static func only(_ certificates: [CertificateView]) -> LocalAnchors {
        LocalAnchors(certificates, replaceOthers: true)
    }

    /// Returns anchors for debugging, to which pins do not apply. Do not ship them.
    public static func dangerouslyBypassingPins(_ certificates: [CertificateView]) -> LocalAnchors {
        LocalAnchors(certificates, pinning: .dangerouslyBypassedAndReported)
    }
}

/// The reason why a policy is not valid: every problem, not only the first.
///
/// - Remedy: Fix every listed problem. `holdfast lint` names the position of each.
public struct PolicyError: Error, Hashable, Sendable, CustomStringConvertible {
    /// A problem of a policy.
    public struct Problem: Hashable, Sendable, CustomStringConvertible {
        /// The path of the element, such as `domains[2].pins`.
        public var path: String
        /// The position of the element in its file, if it came from a file.
        public var position: SourcePosition?
        /// The description of the problem.
        public var reason: String

        /// Creates a problem.
        public init(path: String, position: SourcePosition? = nil, reason: String) {
            self.path = path
            self.position = position
            self.reason = reason
        }

        /// Creates a problem from an error of a reader.
        public init(_ diagnostic: PolicyDiagnostic) {
            self.init(path: diagnostic.path, position: diagnostic.position, reason: diagnostic.message)
        }

        /// A textual representation of the value.
        public var description: String {
            (position.map { "\($0): " } ?? "") + (path.isEmpty ? reason : "\(Printable.text(path)): \(reason)")
        }
    }

    /// The problems in the order of the policy.
    public var problems: [Problem]

    /// Creates an error from problems.
    public init(problems: [Problem]) {
        self.problems = problems
    }

    /// The reason as text.
    public var description: String { problems.map(\.description).joined(separator: "; ") }
}
