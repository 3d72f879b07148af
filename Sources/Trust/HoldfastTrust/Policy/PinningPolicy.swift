/// Which keys which hosts must show. An immutable value; a change is another policy.
public struct PinningPolicy: Hashable, Sendable {
    /// A name for logs and verdicts.
    public let name: String
    /// The rules, in the order given.
    public let rules: [PinningRule]
    /// Which of several rules that cover a host count.
    public let precedence: RulePrecedence
    /// Keys that are refused wherever they appear on a path, whatever the rules say.
    public let denied: PinSet
    /// Whether a host without a rule is refused.
    public let requiresRuleForEveryHost: Bool
    /// Trust anchors that the policy brings along.
    public let anchors: LocalAnchors?
    /// Why pinning is switched off, if it is. System verification stays.
    public let disabledReason: String?
    /// What is legal and probably a mistake.
    public let warnings: [PolicyError.Problem]

    /// The places in ``rules`` of the rules for a host, by its canonical text.
    private let index: [String: [Int]]

    /// Makes a policy.
    ///
    /// Throws ``PolicyError`` with every problem found, each with its place: two rules for the same pattern, a rule
    /// without pins that is not an exclusion, fewer pins than `backupPins` asks for while enforcing, an empty name.
    public init(
        name: String, rules: [PinningRule], precedence: RulePrecedence = .mostSpecific, denied: [Pin] = [],
        requiresRuleForEveryHost: Bool = false, anchors: LocalAnchors? = nil, backupPins: BackupPins = .required(2)
    ) throws(PolicyError) {
        try self.init(
            name: name, rules: rules, precedence: precedence, denied: denied,
            requiresRuleForEveryHost: requiresRuleForEveryHost, anchors: anchors, backupPins: backupPins,
            allowsEmptyPins: false, places: rules.indices.map { "rules[\($0)]" })
    }

    /// The same for rules that came from a document, whose paths are `places`.
    init(
        name: String, rules: [PinningRule], precedence: RulePrecedence, denied: [Pin],
        requiresRuleForEveryHost: Bool, anchors: LocalAnchors?, backupPins: BackupPins, allowsEmptyPins: Bool,
        places: [String]
    ) throws(PolicyError) {
        var problems: [PolicyError.Problem] = []
        var warnings: [PolicyError.Problem] = []
        if name.isEmpty { problems.append(.init(path: "name", reason: "the policy needs a name")) }
        var seen: Set<HostPattern> = []
        for (rule, place) in zip(rules, places) {
            if !seen.insert(rule.pattern).inserted, precedence == .mostSpecific {
                problems.append(.init(path: place, reason: "there is a rule for \(rule.pattern) already"))
            }
            guard !rule.isExcluded else { continue }
            let keys = Set(rule.pins.pins.map(\.digest)).count
            if keys == 0 {
                if !allowsEmptyPins, rule.requiredScopes.isEmpty {
                    problems.append(.init(path: place, reason: "there is no pin for \(rule.pattern)"))
                }
                continue
            }
            let thin =
                "there is no backup pin for \(rule.pattern): when its one key is lost, every client is locked out"
            switch backupPins {
            case .required(let count) where rule.enforcement == .enforce && keys < count:
                let few = "there are \(keys) pins for \(rule.pattern), and \(count) are needed"
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

    /// For the documented initialisers and foreign formats, which accept what a policy of Holdfast's own would refuse.
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

    /// A policy that pins nothing, for debugging: system verification stays, and every verdict says that and why
    /// pinning is off. Nothing depends on the build configuration.
    public static func disabled(reason: String) -> PinningPolicy {
        PinningPolicy(unchecked: "pinning disabled", rules: [], disabledReason: reason)
    }

    /// The rules that cover a host, the most specific first: those for the longest host, and among them those that
    /// reach least far. Takes one look-up for each label of the host, however many rules there are.
    public func rules(covering host: CanonicalHost) -> [PinningRule] {
        var found = matches(host.text[...], labelsBelow: 0)
        guard !host.isIPLiteral else { return found }
        var rest = host.text[...]
        var count = 0
        while let dot = rest.firstIndex(of: ".") {
            rest = rest[rest.index(after: dot)...]
            count += 1
            found += matches(rest, labelsBelow: count)
        }
        return found
    }

    private func matches(_ text: Substring, labelsBelow count: Int) -> [PinningRule] {
        guard let places = index[String(text)] else { return [] }
        let covering = places.map { rules[$0] }.filter { $0.pattern.depth.covers(labelsBelow: count) }
        guard covering.count > 1 else { return covering }
        let order = HostPattern.Depth.allCases
        func reach(_ rule: PinningRule) -> Int { order.firstIndex(of: rule.pattern.depth) ?? order.count }
        return covering.enumerated().sorted { (reach($0.element), $0.offset) < (reach($1.element), $1.offset) }
            .map(\.element)
    }
}
