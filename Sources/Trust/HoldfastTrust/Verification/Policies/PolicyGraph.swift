/// The `valid_policy_graph` of RFC 9618, which replaces the tree of RFC 5280.
///
/// In the tree, a policy has one node for each way that leads to it, so mappings of `k` policies on `n` certificates
/// create `k` to the power of `n` nodes. In the graph, a policy has one node for each certificate. The number of nodes
/// and edges is at most the sum of policies and mappings on the path, times the length of the path.
///
/// Nodes without children are not deleted during processing. A node at the last depth always has a parent at every
/// depth above, so the graph is empty if its last depth is.
struct PolicyGraph {
    private struct Node {
        /// The `valid_policy`.
        var policy: Int
        /// The positions of the parents at the depth above.
        var parents: [Int]
    }

    /// The nodes of each depth. Depth 0 has one node for `anyPolicy`.
    private var levels: [[Node]] = [[Node(policy: PolicyNames.any, parents: [])]]
    /// The policies that the nodes of the last depth expect at the next one, in the order of the nodes.
    private var expected: [(policy: Int, nodes: [Int])] = [(PolicyNames.any, [0])]
    /// The position in ``expected`` of each policy.
    private var places: [Int: Int] = [PolicyNames.any: 0]
    /// The number of nodes and edges that were created.
    private(set) var steps = 1

    /// Whether no policy is valid for the path so far. Such a graph stays empty.
    var isEmpty: Bool { levels.last?.isEmpty ?? true }

    // MARK: - One certificate

    /// Adds the policies of a certificate (RFC 9618, 5.2, which replaces RFC 5280, 6.1.3 (d)).
    ///
    /// `acceptsAnyPolicy` is whether the certificate has `anyPolicy`, and it is not inhibited.
    mutating func add(_ policies: [Int], acceptsAnyPolicy: Bool) {
        let anyNode = levels.last?.firstIndex { $0.policy == PolicyNames.any }
        var nodes: [Node] = []
        var added: Set<Int> = []
        func append(_ policy: Int, _ parents: [Int]) {
            nodes.append(Node(policy: policy, parents: parents))
            added.insert(policy)
        }
        // (1) Policies that the depth above expects, and others below its anyPolicy.
        for policy in policies {
            if let place = places[policy] {
                append(policy, expected[place].nodes)
            } else if let anyNode {
                append(policy, [anyNode])
            }
        }
        // (2) anyPolicy stands for all expected policies without a node.
        if acceptsAnyPolicy {
            for (policy, parents) in expected where !added.contains(policy) { append(policy, parents) }
        }
        levels.append(nodes)
        count(nodes)
        expect()
    }

    /// Removes all nodes, because the certificate has no policies (RFC 5280, 6.1.3 (e)).
    mutating func clear() {
        levels.append([])
        expect()
    }

    /// Applies the policy mappings of the certificate that was added last (RFC 9618, 5.3, which replaces RFC 5280,
    /// 6.1.4 (b)).
    mutating func map(_ mappings: [PolicyContents.Mapping], isAllowed: Bool) {
        guard !isEmpty, !mappings.isEmpty else { return }
        var targets: [Int: [Int]] = [:]
        var order: [Int] = []
        for mapping in mappings {
            if targets[mapping.issuerDomain] == nil { order.append(mapping.issuerDomain) }
            targets[mapping.issuerDomain, default: []].append(mapping.subjectDomain)
        }
        let last = levels.count - 1
        guard isAllowed else {
            levels[last].removeAll { targets[$0.policy] != nil }
            expect()
            return
        }
        // A mapped policy without a node is covered by anyPolicy, if that has a node.
        if let anyNode = levels[last].first(where: { $0.policy == PolicyNames.any }) {
            let present = Set(levels[last].map(\.policy))
            let covered = order.filter { !present.contains($0) }.map { Node(policy: $0, parents: anyNode.parents) }
            levels[last] += covered
            count(covered)
        }
        expect(mapped: targets)
        steps += mappings.count
    }

    /// Computes the expected policies of the last depth: those that a node is mapped to, or otherwise its own.
    private mutating func expect(mapped: [Int: [Int]] = [:]) {
        expected.removeAll(keepingCapacity: true)
        places.removeAll(keepingCapacity: true)
        for (index, node) in (levels.last ?? []).enumerated() {
            for policy in mapped[node.policy] ?? [node.policy] {
                guard let place = places[policy] else {
                    places[policy] = expected.count
                    expected.append((policy, [index]))
                    continue
                }
                // The same mapping may occur twice in a certificate.
                if expected[place].nodes.last != index { expected[place].nodes.append(index) }
            }
        }
    }

    private mutating func count(_ nodes: [Node]) {
        // The limits of extensions and of the path length keep the sum far below the range of Int.
        for node in nodes { steps += 1 + node.parents.count }
    }

    // MARK: - The result

    /// Returns the `authority_constrained_policy_set` (RFC 9618, 5.4, which replaces RFC 5280, 6.1.5 (g)): the policies
    /// in the domain of the trust anchor for which the path is valid.
    func authorityConstrainedPolicies() -> Set<Int> {
        guard let last = levels.last, !last.isEmpty else { return [] }
        var found: Set<Int> = []
        if last.contains(where: { $0.policy == PolicyNames.any }) { found.insert(PolicyNames.any) }
        // Only nodes that a node of the last depth descends from are part of the graph.
        var alive = Set(last.indices)
        for depth in stride(from: levels.count - 1, to: 0, by: -1) {
            let above = levels[depth - 1]
            var parents: Set<Int> = []
            for index in alive {
                let node = levels[depth][index]
                parents.formUnion(node.parents)
                // The policies of the anchor's domain are those below anyPolicy.
                if node.policy != PolicyNames.any, node.parents.contains(where: { above[$0].policy == PolicyNames.any })
                {
                    found.insert(node.policy)
                }
            }
            alive = parents
        }
        return found
    }
}
