package import HoldfastTrust

/// Compares HoldfastTrust with the model for many pairs of policies and counts the results.
package struct WeakeningSurvey {
    /// A pair for which HoldfastTrust and the model disagree.
    package struct Disagreement: Sendable, CustomStringConvertible {
        /// The number of the pair in the sequence of the seed, from 0.
        package var index: Int
        /// The pair.
        package var pair: PolicyPair
        /// The permissions that HoldfastTrust requires.
        package var engine: BundlePermissions
        /// The result of the model.
        package var model: WeakeningModel
        /// The permissions for which HoldfastTrust refuses the pair; `nil` if it accepts the pair.
        package var refusal: String?

        package var description: String {
            let losses = model.losses.map { "  \($0)" }.joined(separator: "\n")
            return """
                pair \(index): HoldfastTrust needs \(WeakeningSurvey.name(of: engine)), the model \
                \(WeakeningSurvey.name(of: model.needed)); refused for: \(refusal ?? "nothing")
                \(losses)
                \(pair)
                """
        }
    }

    /// The number of pairs.
    package private(set) var pairs = 0
    /// The number of pairs that HoldfastTrust accepts although a host loses protection that the permissions do not
    /// cover.
    package private(set) var acceptedButWeakens = 0
    /// The number of pairs that HoldfastTrust refuses although nothing is lost, or the permissions cover every loss.
    package private(set) var refusedButAllowed = 0
    /// The number of pairs for which HoldfastTrust requires other permissions than the model.
    package private(set) var otherPermissions = 0
    /// The number of pairs for each set of permissions that the model requires.
    package private(set) var needs: [BundlePermissions: Int] = [:]
    /// The number of pairs that need a permission and that HoldfastTrust accepts because they have it.
    package private(set) var acceptedByPermission = 0
    /// The number of pairs that HoldfastTrust refuses.
    package private(set) var refused = 0
    /// The first pairs for which HoldfastTrust and the model disagree, at most ten.
    package private(set) var disagreements: [Disagreement] = []

    /// Creates an empty survey.
    package init() {}

    /// The number of pairs that HoldfastTrust accepts.
    package var accepted: Int { pairs - refused }

    /// Whether HoldfastTrust and the model agree for every pair.
    package var isClean: Bool { acceptedButWeakens == 0 && refusedButAllowed == 0 && otherPermissions == 0 }

    /// Evaluates one more pair.
    package mutating func add(_ pair: PolicyPair) {
        let refusal = PolicyWeakening.found(from: pair.old, to: pair.new, at: pair.now, allowing: pair.permissions)
        let engine = PolicyWeakening.neededPermissions(from: pair.old, to: pair.new, at: pair.now)
        let model = WeakeningModel(pair)
        let mayAccept = pair.permissions.isSuperset(of: model.needed)
        needs[model.needed, default: 0] += 1
        if refusal != nil { refused += 1 }
        if refusal == nil, !model.needed.isEmpty { acceptedByPermission += 1 }
        if refusal == nil, !mayAccept { acceptedButWeakens += 1 }
        if refusal != nil, mayAccept { refusedButAllowed += 1 }
        if engine != model.needed { otherPermissions += 1 }
        let agrees = (refusal == nil) == mayAccept && engine == model.needed
        if !agrees, disagreements.count < 10 {
            disagreements.append(
                Disagreement(index: pairs, pair: pair, engine: engine, model: model, refusal: refusal))
        }
        pairs += 1
    }

    /// The counts, one per line.
    package var report: String {
        let sets = needs.sorted { $0.key.rawValue < $1.key.rawValue }
        let lines = [
            ("pairs", pairs), ("accepted", accepted), ("accepted by permission", acceptedByPermission),
            ("refused", refused), ("accepted, but weakens", acceptedButWeakens),
            ("refused, but allowed", refusedButAllowed), ("other permissions than the model", otherPermissions),
        ]
        return (lines + sets.map { ("needs " + WeakeningSurvey.name(of: $0.key), $0.value) })
            .map { name, count in name + String(repeating: " ", count: max(1, 34 - name.count)) + "\(count)" }
            .joined(separator: "\n")
    }

    private static func name(of permissions: BundlePermissions) -> String {
        let names = [(BundlePermissions.unpin, "unpin"), (.reportOnly, "reportOnly"), (.anchors, "anchors")]
            .filter { permissions.contains($0.0) }.map(\.1)
        return names.isEmpty ? "no permission" : names.joined(separator: " + ")
    }
}
