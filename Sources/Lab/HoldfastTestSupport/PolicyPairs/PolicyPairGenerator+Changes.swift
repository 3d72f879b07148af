import HoldfastTrust

extension PolicyPairGenerator {
    /// Applies one change. A change that does not fit the policy has no effect.
    mutating func make(_ change: PolicyChange, in draft: inout PolicyDraft) {
        switch change {
        case .addRule: draft.add(rule())
        case .shuffle: draft.rules.shuffle(using: &random)
        case .refuseUnlisted: draft.refusesUnlisted = true
        case .admitUnlisted: draft.refusesUnlisted = false
        case .addDenied: draft.denied.insert(pin())
        case .dropDenied: draft.denied = draft.denied.filter { _ in chance(50) }
        case .switchPrecedence: draft.precedence = draft.precedence == .union ? .mostSpecific : .union
        case .addAnchors: draft.anchors = anchors()
        case .removeAnchor, .countPins, .bypassPins: makeAnchors(change, in: &draft)
        case .removeRule, .removeRuleAddParent, .repeatBelow, .addExclusion, .swapPatterns:
            makeRules(change, in: &draft)
        default:
            guard let place = draft.rules.indices.randomElement(using: &random) else { return }
            let before = draft.rules[place].pattern
            makeRule(change, in: &draft.rules[place])
            let after = draft.rules[place].pattern
            // A policy has at most one rule for a pattern.
            if after != before, draft.rules.enumerated().contains(where: { $0 != place && $1.pattern == after }) {
                draft.rules[place].pattern = before
            }
        }
    }

    private mutating func makeAnchors(_ change: PolicyChange, in draft: inout PolicyDraft) {
        guard var anchors = draft.anchors else { return }
        switch change {
        case .countPins: anchors.pinning = .enforced
        case .bypassPins: anchors.pinning = chance(50) ? .dangerouslyBypassed : .dangerouslyBypassedAndReported
        default:
            if anchors.certificates.count <= 1, chance(50) { return draft.anchors = nil }
            anchors.certificates = anchors.certificates.dropLast()
        }
        draft.anchors = anchors
    }

    private mutating func makeRules(_ change: PolicyChange, in draft: inout PolicyDraft) {
        guard let place = draft.rules.indices.randomElement(using: &random) else { return }
        let rule = draft.rules[place]
        switch change {
        case .removeRule: draft.rules.remove(at: place)
        case .removeRuleAddParent:
            draft.rules.remove(at: place)
            guard let parent = PolicyPairGenerator.parent(of: rule.host) else { return }
            var wide = self.rule() ?? rule
            wide.pattern = HostPattern(parent, depth: chance(70) ? .apexAndAnyDepth : .oneLabel)
            draft.add(wide)
        case .repeatBelow:
            var copy = rule
            guard let child = child(of: rule.host) else { return }
            copy.pattern = HostPattern(child, depth: depth())
            draft.add(copy)
        case .addExclusion:
            guard let child = chance(50) ? child(of: rule.host) : host() else { return }
            draft.add(.excluding(HostPattern(child, depth: depth())))
        default:
            guard let other = draft.rules.indices.randomElement(using: &random) else { return }
            draft.rules[place].pattern = draft.rules[other].pattern
            draft.rules[other].pattern = rule.pattern
        }
    }

    private mutating func makeRule(_ change: PolicyChange, in rule: inout PinningRule) {
        switch change {
        case .replacePins: rule.pins = replaced(rule.pins)
        case .addPin: if !rule.isExcluded { rule.pins = PinSet(rule.pins.pins.union([pin()])) }
        case .dropPin: rule.pins = PinSet(rule.pins.sorted.dropFirst(rule.pins.pins.count > 1 ? 1 : 0))
        case .extendEnd: rule.expires = rule.expires?.advanced(bySeconds: chance(50) ? 1 : 86_400)
        case .removeEnd: rule.expires = nil
        case .endSooner: rule.expires = rule.expires?.advanced(bySeconds: chance(50) ? -1 : -86_400) ?? end()
        case .anyEnd: rule.expires = end()
        case .enforce: rule.enforcement = .enforce
        case .reportOnly: rule.enforcement = .reportOnly
        case .requireScope:
            if chance(50) {
                rule.everyScopeMustMatch = true
            } else {
                rule.requiredScopes.insert(rule.pins.sorted.randomElement(using: &random)?.scope ?? .any)
            }
        case .dropScope:
            if chance(50) { rule.everyScopeMustMatch = false } else { rule.requiredScopes = [] }
        case .anyScope: rule.pins = PinSet(rule.pins.sorted.map { Pin($0.sha256, domain: $0.domain) })
        case .exclude: rule = .excluding(rule.pattern)
        case .include:
            rule.isExcluded = false
            if rule.pins.isEmpty { rule.pins = PinSet(pins()) }
        case .widen: rule.pattern = HostPattern(rule.host, depth: .apexAndAnyDepth)
        case .narrow: rule.pattern = HostPattern(rule.host, depth: depth())
        case .moveToParent:
            if let parent = PolicyPairGenerator.parent(of: rule.host) {
                rule.pattern = HostPattern(parent, depth: rule.pattern.depth)
            }
        case .moveToChild:
            if let child = child(of: rule.host) { rule.pattern = HostPattern(child, depth: rule.pattern.depth) }
        case .rename: rule.reportURIs = ["https://reports.example/"]
        case .requireTransparency: rule.transparency = rule.transparency ?? transparency()
        case .changeTransparency: rule.transparency = transparency()
        case .dropTransparency: rule.transparency = nil
        case .reportTransparency: rule.transparency?.enforcement = .reportOnly
        case .emptyPins:
            rule.pins = PinSet([])
            rule.requiredScopes = [.any]
        default: break
        }
    }

    /// Returns other keys in the same scopes.
    private mutating func replaced(_ pins: PinSet) -> PinSet {
        PinSet(
            pins.sorted.map { old in
                Pin(SPKIDigest(hashing: [UInt8.random(in: 6..<12, using: &random)]), scope: old.scope)
            })
    }

    private static func parent(of host: CanonicalHost) -> CanonicalHost? {
        guard !host.isIPLiteral, let dot = host.text.firstIndex(of: ".") else { return nil }
        return try? CanonicalHost(String(host.text[host.text.index(after: dot)...]))
    }

    private mutating func child(of host: CanonicalHost) -> CanonicalHost? {
        guard !host.isIPLiteral else { return nil }
        return try? CanonicalHost((chance(60) ? "a" : "x") + "." + host.text)
    }
}

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
    case requireTransparency
    case refuseUnlisted
    case addDenied
    case shuffle
    case rename
    case removeAnchor
    case countPins
    case repeatBelow
    case widen

    // Changes that can remove protection.
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
    case changeTransparency
    case dropTransparency
    case reportTransparency

    /// The changes that keep or add protection in most policies.
    static let keeping: [PolicyChange] = [
        .addRule, .replacePins, .replacePins, .addPin, .extendEnd, .removeEnd, .enforce, .requireScope,
        .refuseUnlisted, .addDenied, .shuffle, .rename, .removeAnchor, .countPins, .repeatBelow, .widen,
        .requireTransparency,
    ]
}
