import HoldfastTrust

/// A certificate with valid timestamps, as the model of certificate transparency sees it.
///
/// The model compares two requirements by trying all certificates that they could treat differently.
struct TimestampCase {
    /// The lifetimes that policies distinguish.
    enum Lifetime: CaseIterable {
        case short
        /// 180 days between both dates. With its final second, the lifetime is longer than 180 days.
        case limit
        case long
    }

    /// The effect of a requirement on a certificate, from the mildest to the strictest.
    enum Effect: Int {
        case passes
        case reports
        case refuses
    }

    var lifetime: Lifetime
    var logs: Int
    var operators: Int
    var hasRFC6962Log: Bool
    var isLocal: Bool

    static let all: [TimestampCase] = {
        var cases: [TimestampCase] = []
        for lifetime in Lifetime.allCases {
            for logs in 0...6 {
                for operators in min(logs, 1)...max(logs, 0) {
                    for flags in 0..<4 {
                        cases.append(
                            TimestampCase(
                                lifetime: lifetime, logs: logs, operators: operators, hasRFC6962Log: flags & 1 != 0,
                                isLocal: flags & 2 != 0))
                    }
                }
            }
        }
        return cases
    }()

    /// Returns the effect of a requirement, from the text of the policies.
    func effect(of requirement: TransparencyRequirement) -> Effect {
        if isLocal, requirement.localAnchors == .exempt { return .passes }
        let isMet: Bool
        switch requirement.policy {
        case .chrome: isMet = logs >= (lifetime == .long ? 3 : 2) && operators >= 2
        case .apple: isMet = logs >= (lifetime == .short ? 2 : 3) && operators >= 2 && hasRFC6962Log
        case .custom(let counts):
            isMet =
                logs >= (lifetime == .long ? counts.timestampsOver180Days : counts.timestamps)
                && operators >= counts.operators && (hasRFC6962Log || !counts.requiresRFC6962Log)
        }
        if isMet { return .passes }
        return requirement.enforcement == .enforce ? .refuses : .reports
    }

    /// Returns whether `new` treats every certificate at least as strictly as `old`.
    static func covers(_ new: TransparencyRequirement, _ old: TransparencyRequirement) -> Bool {
        all.allSatisfy { $0.effect(of: new).rawValue >= $0.effect(of: old).rawValue }
    }
}
