import HoldfastTestSupport
@testable import HoldfastTrust
import Testing

/// Compares the policy graph with an independent model: the policy tree exactly as RFC 5280, section 6.1 describes it.
@Suite("Generated certificate policies")
struct GeneratedPolicyTests {
    /// The policy extensions of a generated certificate. Policy 0 is `anyPolicy`.
    struct Sample {
        var policies: [Int]?
        var mappings: [(Int, Int)] = []
        var explicit: Int?
        var mappingLimit: Int?
        var anyLimit: Int?
        var isSelfIssued = false

        var extensions: [ExtraExtension] {
            var items: [ExtraExtension] = []
            if let policies { items.append(.certificatePolicies(policies.map(Sample.name))) }
            if !mappings.isEmpty {
                items.append(.policyMappings(mappings.map { (Sample.name($0.0), Sample.name($0.1)) }))
            }
            if explicit != nil || mappingLimit != nil {
                items.append(
                    .policyConstraints(
                        requireExplicitPolicy: explicit.map { UInt8($0) },
                        inhibitPolicyMapping: mappingLimit.map { UInt8($0) }))
            }
            if let anyLimit { items.append(.inhibitAnyPolicy(UInt8(anyLimit))) }
            return items
        }

        static func name(_ policy: Int) -> String { policy == 0 ? "2.5.29.32.0" : "1.3.6.1.4.1.99999.5.\(policy)" }

        init(_ random: inout SeededGenerator) {
            func chance(_ percent: Int) -> Bool { Int.random(in: 0..<100, using: &random) < percent }
            if chance(85) {
                let count = Int.random(in: 1...3, using: &random)
                policies = Array(Array(0...3).shuffled(using: &random).prefix(count))
            }
            if chance(40) {
                mappings = (0..<Int.random(in: 1...3, using: &random)).map { _ in
                    (Int.random(in: 1...3, using: &random), Int.random(in: 1...3, using: &random))
                }
            }
            if chance(30) { explicit = Int.random(in: 0...2, using: &random) }
            if chance(20) { mappingLimit = Int.random(in: 0...2, using: &random) }
            if chance(20) { anyLimit = Int.random(in: 0...2, using: &random) }
            isSelfIssued = chance(20)
        }
    }

    @Test("mutated extensions are read or refused, and never trap")
    func mutated() throws {
        var random = SeededGenerator(seed: 5_280)
        let originals: [(ExtraExtension, WritableKeyPath<PolicyExtensions, PolicyExtensions.Place?>)] = [
            (.certificatePolicies(["1.2.3", "2.5.29.32.0"], qualifier: "1.3.6.1.5.5.7.2.1"), \.policies),
            (.policyMappings([("1.2.3", "1.2.4"), ("1.2.4", "1.2.3")]), \.mappings),
            (.policyConstraints(requireExplicitPolicy: 1, inhibitPolicyMapping: 2), \.constraints),
            (.inhibitAnyPolicy(3), \.anyPolicyInhibition),
        ]
        var (readable, malformed) = (0, 0)
        for round in 0..<8_000 {
            let (original, place) = originals[round % originals.count]
            var value = original.value
            for _ in 0..<Int.random(in: 1...3, using: &random) {
                let position = Int.random(in: 0..<value.count, using: &random)
                switch Int.random(in: 0..<3, using: &random) {
                case 0: value[position] = UInt8.random(in: 0...255, using: &random)
                case 1: value.insert(UInt8.random(in: 0...255, using: &random), at: position)
                default: if value.count > 1 { value.remove(at: position) }
                }
            }
            var extensions = PolicyExtensions()
            extensions[keyPath: place] = PolicyExtensions.Place(isCritical: true, value: value.indices)
            var names = PolicyNames()
            do throws(PolicyContents.Fault) {
                let contents = try PolicyContents(extensions, in: value, &names)
                readable += 1
                var graph = PolicyGraph()
                graph.add(contents.policies ?? [1], acceptsAnyPolicy: true)
                graph.map(contents.mappings, isAllowed: true)
                #expect(graph.authorityConstrainedPolicies().count <= graph.steps)
            } catch {
                malformed += 1
            }
        }
        #expect(readable > 100 && malformed > 1_000, "\(readable) readable, \(malformed) malformed")
    }

    @Test("the graph accepts exactly the paths that the tree of RFC 5280 accepts", .timeLimit(.minutes(2)))
    func agreesWithTree() throws {
        var random = SeededGenerator(seed: 9_618)
        let factory = CertificateFactory()
        let key = try Key.shared(.p256, "generated policies")
        let samples = (0..<80).map { _ in Sample(&random) }
        // The check reads extensions and names, and no signatures, so any sequence of certificates is a path.
        let other = CertificateName.der("Other")
        let nodes = try samples.map { sample in
            try factory.authority(
                "Authority",
                .with {
                    $0.key = key
                    $0.extraExtensions = sample.extensions
                    if !sample.isSelfIssued { $0.issuer = other }
                }
            ).view
        }
        var (accepted, refused) = (0, 0)
        for _ in 0..<6_000 {
            let path = (0..<Int.random(in: 2...6, using: &random)).map { _ in
                Int.random(in: 0..<samples.count, using: &random)
            }
            var inputs = CertificatePolicyInputs()
            var allowed: Set<Int>?
            if Bool.random(using: &random) {
                let chosen = Set(
                    (0..<Int.random(in: 0...2, using: &random)).map { _ in Int.random(in: 0...3, using: &random) })
                allowed = chosen
                inputs.userInitialPolicySet = Set(try chosen.map { try CertificatePolicyIdentifier(Sample.name($0)) })
            }
            inputs.initialExplicitPolicy = Int.random(in: 0..<3, using: &random) == 0
            inputs.initialPolicyMappingInhibit = Int.random(in: 0..<6, using: &random) == 0
            inputs.initialAnyPolicyInhibit = Int.random(in: 0..<6, using: &random) == 0
            var check = PolicyCheck()
            var cost = VerificationCost()
            let violation = try check.violation(on: path, of: nodes, inputs, cost: &cost, budget: .standard)
            var model = PolicyTreeModel(inputs, allowed, count: path.count - 1)
            let expected = model.accepts(path.reversed().map { samples[$0] })
            if expected { accepted += 1 } else { refused += 1 }
            guard (violation == nil) != expected else { continue }
            Issue.record("\(path.map { samples[$0] }), \(inputs): the tree \(expected ? "accepts" : "refuses")")
            return
        }
        // Both results must occur often enough to mean something.
        #expect(accepted > 1_000 && refused > 1_000, "\(accepted) accepted, \(refused) refused")
    }
}

/// The policy tree of RFC 5280, section 6.1. Its size is exponential in the length of the path.
private struct PolicyTreeModel {
    private final class Node {
        let policy: Int
        var expected: Set<Int>
        var children: [Node] = []

        init(_ policy: Int, _ expected: Set<Int>) { (self.policy, self.expected) = (policy, expected) }
    }

    private var root: Node? = Node(0, [0])
    private var explicit: Int
    private var mapping: Int
    private var any: Int
    private let count: Int
    private let allowed: Set<Int>?

    init(_ inputs: CertificatePolicyInputs, _ allowed: Set<Int>?, count: Int) {
        self.count = count
        self.allowed = allowed.flatMap { $0.contains(0) ? nil : $0 }
        explicit = inputs.initialExplicitPolicy ? 0 : count + 1
        mapping = inputs.initialPolicyMappingInhibit ? 0 : count + 1
        any = inputs.initialAnyPolicyInhibit ? 0 : count + 1
    }

    private func nodes(at depth: Int) -> [Node] {
        guard let root else { return [] }
        return (0..<depth).reduce([root]) { level, _ in level.flatMap(\.children) }
    }

    /// Deletes nodes above `depth` without children, repeatedly.
    private mutating func prune(_ depth: Int) {
        func prune(_ node: Node, _ level: Int) -> Bool {
            guard level < depth else { return true }
            node.children.removeAll { !prune($0, level + 1) }
            return !node.children.isEmpty
        }
        if let root, !prune(root, 0) { self.root = nil }
    }

    /// Returns whether the path is valid. The first sample is the anchor.
    mutating func accepts(_ path: [GeneratedPolicyTests.Sample]) -> Bool {
        constrain(path[0])
        for (number, sample) in path.enumerated().dropFirst() {
            add(sample, number)
            guard explicit > 0 || root != nil else { return false }
            guard number < count else {
                if explicit > 0 { explicit -= 1 }
                if sample.explicit == 0 { explicit = 0 }
                break
            }
            map(sample, number)
            if !sample.isSelfIssued {
                explicit = max(0, explicit - 1)
                mapping = max(0, mapping - 1)
                any = max(0, any - 1)
            }
            constrain(sample)
        }
        intersect()
        return explicit > 0 || root != nil
    }

    private mutating func constrain(_ sample: GeneratedPolicyTests.Sample) {
        if let limit = sample.explicit { explicit = min(explicit, limit) }
        if let limit = sample.mappingLimit { mapping = min(mapping, limit) }
        if let limit = sample.anyLimit { any = min(any, limit) }
    }

    /// Section 6.1.3 (d) and (e).
    private mutating func add(_ sample: GeneratedPolicyTests.Sample, _ depth: Int) {
        guard let policies = sample.policies else {
            root = nil
            return
        }
        let above = nodes(at: depth - 1)
        for policy in policies where policy != 0 {
            let matching = above.filter { $0.expected.contains(policy) }
            for node in matching { node.children.append(Node(policy, [policy])) }
            if matching.isEmpty {
                for node in above where node.policy == 0 { node.children.append(Node(policy, [policy])) }
            }
        }
        if policies.contains(0), any > 0 || (depth < count && sample.isSelfIssued) {
            for node in above {
                for policy in node.expected where !node.children.contains(where: { $0.policy == policy }) {
                    node.children.append(Node(policy, [policy]))
                }
            }
        }
        prune(depth)
    }

    /// Section 6.1.4 (b).
    private mutating func map(_ sample: GeneratedPolicyTests.Sample, _ depth: Int) {
        for source in Set(sample.mappings.map(\.0)) {
            let targets = Set(sample.mappings.filter { $0.0 == source }.map(\.1))
            let level = nodes(at: depth)
            if mapping > 0 {
                let matching = level.filter { $0.policy == source }
                for node in matching { node.expected = targets }
                if matching.isEmpty, level.contains(where: { $0.policy == 0 }) {
                    for parent in nodes(at: depth - 1) where parent.policy == 0 {
                        parent.children.append(Node(source, targets))
                    }
                }
            } else {
                for parent in nodes(at: depth - 1) { parent.children.removeAll { $0.policy == source } }
                prune(depth)
            }
        }
    }

    /// Section 6.1.5 (g).
    private mutating func intersect() {
        guard root != nil, let allowed else { return }
        var valid: Set<Int> = []
        for depth in 0..<count {
            for node in nodes(at: depth) where node.policy == 0 {
                node.children.removeAll { $0.policy != 0 && !allowed.contains($0.policy) }
                valid.formUnion(node.children.map(\.policy))
            }
        }
        for parent in nodes(at: count - 1)
        where parent.policy == 0 && parent.children.contains(where: { $0.policy == 0 }) {
            parent.children.removeAll { $0.policy == 0 }
            for policy in allowed.subtracting(valid) { parent.children.append(Node(policy, [policy])) }
        }
        prune(count)
    }
}
