import HoldfastTestSupport
@testable import HoldfastTrust
import Testing

/// Compares the result of HoldfastTrust for thousands of generated pairs of policies with a model that shares no code
/// with it. `holdfast-conformance weakening` compares more pairs.
@Suite("Generated pairs of policies")
struct GeneratedWeakeningTests {
    @Test("accepts no pair that weakens a host, and refuses no pair that only strengthens hosts", arguments: 1...5)
    func pairs(seed: Int) {
        var generator = PolicyPairGenerator(seed: UInt64(seed))
        var survey = WeakeningSurvey()
        for _ in 0..<1_000 { survey.add(generator.next()) }
        #expect(survey.isClean, "seed \(seed):\n\(survey.report)")
        for disagreement in survey.disagreements { Issue.record("seed \(seed), \(disagreement)") }
        #expect(survey.accepted >= 300 && survey.refused >= 200, "seed \(seed):\n\(survey.report)")
    }

    /// The regions and profiles of the comparison must give the same results as `resolve` for each host.
    @Test("the outcome of a region equals the outcome of its hosts", arguments: 1...5)
    func outcomes(seed: Int) throws {
        var generator = PolicyPairGenerator(seed: UInt64(seed))
        for index in 0..<100 {
            let pair = generator.next()
            HostRegions(old: pair.old, new: pair.new).forEach { element in
                guard let host = try? Self.host(of: element.region) else { return true }
                for time in [pair.now] + element.old.ends + element.new.ends {
                    let resolved = pair.old.resolve(host, at: time)
                    let expected = Self.outcome(resolved, of: pair.old)
                    #expect(
                        element.old.outcome(at: time) == expected,
                        "seed \(seed), pair \(index), \(host), \(time)\n\(pair)")
                }
                return true
            }
        }
    }

    private static func host(of region: HostRegion) throws -> CanonicalHost {
        switch region.place {
        case .itself: try CanonicalHost(region.host)
        case .oneLabelBelow: try CanonicalHost("unnamed-1." + region.host)
        case .furtherBelow: try CanonicalHost("unnamed-1.unnamed-2." + region.host)
        case .unrelated: try CanonicalHost("unrelated.test")
        }
    }

    private static func outcome(_ resolution: PolicyResolution, of policy: PinningPolicy) -> PolicyOutcome {
        switch resolution.outcome {
        case .disabled: return .open(.disabled)
        case .unlisted: return policy.requiresRuleForEveryHost ? .refused(.withoutRule) : .open(.unlisted)
        case .excluded: return .open(.excluded)
        case .expired: return .open(.expired)
        case .pinned(let requirement):
            if requirement.all.isEmpty { return .refused(.byPins) }
            let scopes = requirement.sets.map { Set($0.pins.map(\.scope)) }
            let demand: PinDemand =
                scopes.contains([])
                ? .impossible
                : .matches(scopes.count, onLeaf: scopes.contains([.leaf]), above: scopes.contains([.ca]))
            guard requirement.enforcement == .enforce else { return .reported(demand) }
            return demand == .impossible ? .refused(.byPins) : .enforced(demand)
        }
    }
}
