import HoldfastBase

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
            let keys = Set(rule.pins.pins.map(\.sha256)).count
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
}

extension PinningPolicy {
    /// Whether the policy leaves every decision to system verification: it has no rule with pins, no denied key and no
    /// anchors, and it does not refuse hosts without a rule.
    package var asksForNothing: Bool {
        let pinsNothing = disabledReason != nil || !requiresRuleForEveryHost && rules.allSatisfy(\.isExcluded)
        let hasAnchors = anchors.map { $0.replaceOthers || !$0.certificates.isEmpty } ?? false
        return pinsNothing && denied.isEmpty && !hasAnchors
    }
}

/// Which of several rules that cover a host count.
public enum RulePrecedence: String, Hashable, Sendable, CaseIterable {
    /// The one with the longest host; for the same host the one that reaches least far. It counts alone, also when it has
    /// expired.
    case mostSpecific
    /// All of them that have not expired: a pin of any rule is enough, and one rule that enforces is enough (OkHttp,
    /// `NSPinnedDomains`). An exclusion counts only as the most specific rule.
    case union
}

/// What a policy asks of the number of pins for a host. With a single pin, a lost key locks every installed app out.
public enum BackupPins: Hashable, Sendable {
    /// A rule that enforces needs at least so many pins.
    case required(Int)
    /// Fewer than two are reported in ``PinningPolicy/warnings``.
    case warn
    /// One is enough.
    case off
}

/// Trust anchors that a policy brings along: a private authority, a debugging proxy, a company's inspection box.
public struct LocalAnchors: Hashable, Sendable {
    /// Whether pins count for paths that end in one of these anchors.
    public enum Pinning: String, Hashable, Sendable, CaseIterable {
        /// They count as everywhere.
        case enforced
        /// They do not: who holds one of these anchors can read the traffic to pinned hosts.
        case dangerouslyBypassed
        /// The same, with a notice in every verdict.
        case dangerouslyBypassedAndReported
    }

    /// The certificates.
    public var certificates: [CertificateView]
    /// Whether they take the place of the anchors of the context, or stand beside them.
    public var replaceOthers: Bool
    /// Whether pins count for them.
    public var pinning: Pinning

    /// Lists anchors.
    public init(_ certificates: [CertificateView], replaceOthers: Bool = false, pinning: Pinning = .enforced) {
        self.certificates = certificates
        self.replaceOthers = replaceOthers
        self.pinning = pinning
    }

    /// Anchors beside those of the context.
    public static func additional(_ certificates: [CertificateView]) -> LocalAnchors {
        LocalAnchors(certificates)
    }

    /// These anchors and no others.
    public static func only(_ certificates: [CertificateView]) -> LocalAnchors {
        LocalAnchors(certificates, replaceOthers: true)
    }

    /// Anchors for debugging, for which pins do not count. Do not ship them.
    public static func dangerouslyBypassingPins(_ certificates: [CertificateView]) -> LocalAnchors {
        LocalAnchors(certificates, pinning: .dangerouslyBypassedAndReported)
    }
}

/// Why a policy cannot be honoured: every problem found, not only the first.
public struct PolicyError: Error, Hashable, Sendable, CustomStringConvertible {
    /// One problem.
    public struct Problem: Hashable, Sendable, CustomStringConvertible {
        /// The path of the element, as in `domains[2].pins`.
        public var path: String
        /// Where it stands in its file, if it came from one.
        public var position: SourcePosition?
        /// What it is.
        public var reason: String

        /// Describes a problem.
        public init(path: String, position: SourcePosition? = nil, reason: String) {
            self.path = path
            self.position = position
            self.reason = reason
        }

        /// Takes a reader's error.
        public init(_ diagnostic: PolicyDiagnostic) {
            self.init(path: diagnostic.path, position: diagnostic.position, reason: diagnostic.message)
        }

        public var description: String {
            (position.map { "\($0): " } ?? "") + (path.isEmpty ? reason : "\(Printable.text(path)): \(reason)")
        }
    }

    /// The problems, in the order of the policy.
    public var problems: [Problem]

    /// Collects problems.
    public init(problems: [Problem]) {
        self.problems = problems
    }

    public var description: String { problems.map(\.description).joined(separator: "; ") }
}
