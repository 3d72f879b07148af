import HoldfastTestSupport
import HoldfastTrust

/// Generates paths with certificate policies.
enum PolicyCases {
    private static func name(_ policy: Int) -> String { policy == 0 ? "2.5.29.32.0" : "1.3.6.1.4.1.99999.5.\(policy)" }

    static func make(_ number: Int, _ world: inout CaseWorld) throws -> DifferentialCase {
        var plan = ChainPlan(&world)
        var changes: [String] = []
        var mapsToNext = false
        for index in plan.intermediates.indices {
            let before = changes.count
            let made = extensions(isAuthority: true, &world, &changes)
            plan.intermediates[index].extraExtensions = made.items
            if mapsToNext, made.policies == [0] { changes.append("anyAfterMapping") }
            mapsToNext = changes[before...].contains("mappings")
            if mapsToNext, made.policies.contains(0) { changes.append("mapsAny") }
            if world.chance(15), index > 0 {
                // A self-issued certificate does not count (RFC 5280, 6.1.4 (h)).
                plan.intermediates[index].commonName = "Authority \(index - 1)"
                changes.append("selfIssued")
            }
        }
        plan.leaf.extraExtensions = extensions(isAuthority: false, &world, &changes).items
        if world.chance(10) {
            plan.root.extraExtensions = extensions(isAuthority: true, &world, &changes).items
            changes.append("root")
        }
        let minted = try plan.minted(&world)
        var made = DifferentialCase(
            .policies, number: number, changes: changes, anchors: minted.anchors, chain: minted.chain, host: plan.host,
            time: plan.time)
        if world.chance(50) {
            made.policies.accepted = (0..<world.number(1...2)).map { _ in name(world.number(0...3)) }
        }
        made.policies.explicit = world.chance(40)
        made.policies.inhibitMapping = world.chance(15)
        made.policies.inhibitAny = world.chance(15)
        if made.policies.accepted != nil { made.changes.append("accepted") }
        if made.policies.explicit { made.changes.append("explicit") }
        return made
    }

    private static func extensions(
        isAuthority: Bool, _ world: inout CaseWorld, _ changes: inout [String]
    ) -> (items: [ExtraExtension], policies: [Int]) {
        var items: [ExtraExtension] = []
        var policies: [Int] = []
        if world.chance(85) {
            let shuffled = Array(0...3).shuffled(using: &world.random)
            policies = Array(shuffled.prefix(world.number(1...3)))
            items.append(.certificatePolicies(policies.map(name), isCritical: world.chance(30)))
        }
        guard isAuthority else { return (items, policies) }
        if world.chance(35) {
            var pairs: [(issuerDomain: String, subjectDomain: String)] = []
            for _ in 0..<world.number(1...3) { pairs.append((name(world.number(1...3)), name(world.number(1...3)))) }
            if world.chance(5) { pairs.append((name(0), name(1))) }
            items.append(.policyMappings(pairs))
            changes.append("mappings")
        }
        if world.chance(30) {
            let (explicit, mapping) = (UInt8(world.number(0...2)), UInt8(world.number(0...2)))
            let kind = world.number(0...2)
            items.append(
                .policyConstraints(
                    requireExplicitPolicy: kind == 1 ? nil : explicit, inhibitPolicyMapping: kind == 0 ? nil : mapping))
            changes.append("constraints")
        }
        if world.chance(20) {
            items.append(.inhibitAnyPolicy(UInt8(world.number(0...2))))
            changes.append("inhibitAny")
        }
        return (items, policies)
    }
}
