import HoldfastTestSupport
@testable import HoldfastTrust
import Testing

/// Tests the generator of policy pairs, and the model's evaluation of a single policy.
@Suite("Pairs of policies")
struct PolicyPairTests {
    @Test("the same seed gives the same pairs")
    func determinism() {
        var first = PolicyPairGenerator(seed: 9)
        var second = PolicyPairGenerator(seed: 9)
        for _ in 0..<50 { #expect(first.next().description == second.next().description) }
    }

    /// If the model refused every pair, the comparison with the model would pass without testing anything.
    @Test("accepted and refused pairs are both frequent")
    func classes() {
        var generator = PolicyPairGenerator(seed: 1)
        let count = 1_000
        var accepted = 0
        var single: [BundlePermissions: Int] = [:]
        for _ in 0..<count {
            let pair = generator.next()
            let model = WeakeningModel(pair)
            #expect(model.needed.isEmpty == model.losses.isEmpty)
            if pair.permissions.isSuperset(of: model.needed) { accepted += 1 }
            single[model.needed, default: 0] += 1
        }
        #expect(accepted * 100 >= count * 40 && accepted * 100 <= count * 75, "\(accepted) of \(count) are accepted")
        for needed in [BundlePermissions.unpin, .reportOnly, .anchors] {
            #expect(single[needed, default: 0] * 100 >= count, "\(single)")
        }
    }

    @Test("the model evaluates a single policy like the engine", arguments: 0..<20 as Range<UInt64>)
    func outcomes(seed: UInt64) {
        var generator = PolicyPairGenerator(seed: 1_000 + seed)
        for _ in 0..<20 {
            let pair = generator.next()
            let times = PolicyRegions.times(of: [pair.old, pair.new], from: pair.now)
            for policy in [pair.old, pair.new] {
                let model = PolicyModel(policy)
                for host in PolicyRegions.hosts(of: [pair.old, pair.new]) {
                    for time in times {
                        let outcome = model.outcome(for: host, at: time)
                        let resolution = policy.resolve(host.host, at: time)
                        #expect(Self.agree(outcome, resolution, policy), "\(host.host), \(time), \(outcome)\n\(pair)")
                    }
                }
            }
        }
    }

    private static func agree(
        _ outcome: PolicyModel.Outcome, _ resolution: PolicyResolution, _ policy: PinningPolicy
    ) -> Bool {
        switch (outcome, resolution.outcome) {
        case (.open(.disabled), .disabled), (.open(.excluded), .excluded), (.open(.expired), .expired): true
        case (.open(.unlisted), .unlisted): !policy.requiresRuleForEveryHost
        case (.refused, .unlisted): policy.requiresRuleForEveryHost
        case (.pinned(let demand), .pinned(let requirement)):
            demand.isEnforced == (requirement.enforcement == .enforce)
                && Set(demand.groups) == Set(requirement.sets.map(\.pins))
                && demand.groups.count == requirement.sets.count
        default: false
        }
    }
}
