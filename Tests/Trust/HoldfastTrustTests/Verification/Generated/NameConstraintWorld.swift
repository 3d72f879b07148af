import HoldfastTestSupport

/// A random chain with name constraints, as plain values. The certificates are created from these values, and the
/// oracle sees nothing else.
struct NameConstraintWorld {
    enum Name: Hashable {
        case dns(String)
        case address([UInt8])
    }

    enum Subtree: Hashable {
        case dns(String)
        /// An address, followed by a mask.
        case range([UInt8])
        case organization(String)
    }

    struct Authority {
        /// The subject: a common name and an optional organization.
        var commonName: String
        var organization: String?
        var permitted: [Subtree]
        var excluded: [Subtree]
    }

    /// The authorities, the root first.
    var authorities: [Authority]
    var leafOrganization: String?
    var leafNames: [Name]

    // MARK: - Generation

    static let labels = ["a", "b", "x", "y", "test", "other", "org", "aa"]
    private static let hosts = [
        "a.test", "b.test", "x.a.test", "y.x.a.test", "aa.test", "test", "other.org", "A.Test", "*.a.test", "*.test",
        "*.x.a.test", "*.other.org",
    ]
    private static let bases = [
        "a.test", ".a.test", "x.a.test", ".x.a.test", "test", ".test", "b.test", "aa.test", "other.org", "org",
        "y.x.a.test", "", "X.A.TEST",
    ]
    private static let addresses: [[UInt8]] = [
        [10, 0, 0, 1], [10, 1, 2, 3], [11, 0, 0, 1], [192, 0, 2, 255], [0, 0, 0, 0],
        [0xFD] + Array(repeating: 0, count: 15), [0xFD, 0, 0, 1] + Array(repeating: 9, count: 12),
    ]

    init(using random: inout SeededGenerator) {
        let count = Int.random(in: 1...3, using: &random)
        authorities = []
        for level in 0..<count {
            // Sometimes an authority has the name of its issuer, which makes it self-issued.
            if level > 0, Int.random(in: 0..<6, using: &random) == 0 {
                var copy = authorities[level - 1]
                (copy.permitted, copy.excluded) = Self.constraints(using: &random)
                authorities.append(copy)
                continue
            }
            let (permitted, excluded) = Self.constraints(using: &random)
            authorities.append(
                Authority(
                    commonName: "Authority \(level)", organization: Self.organization(using: &random),
                    permitted: permitted, excluded: excluded))
        }
        leafOrganization = Self.organization(using: &random)
        leafNames = (0..<Int.random(in: 1...3, using: &random)).map { _ in
            Int.random(in: 0..<3, using: &random) == 0
                ? .address(Self.pick(Self.addresses, &random)) : .dns(Self.pick(Self.hosts, &random))
        }
    }

    private static func pick<Element>(_ list: [Element], _ random: inout SeededGenerator) -> Element {
        list[Int.random(in: 0..<list.count, using: &random)]
    }

    private static func organization(using random: inout SeededGenerator) -> String? {
        pick([nil, nil, "Good", "Bad"], &random)
    }

    private static func constraints(using random: inout SeededGenerator) -> (permitted: [Subtree], excluded: [Subtree])
    {
        guard Int.random(in: 0..<3, using: &random) > 0 else { return ([], []) }
        let permitted = (0..<Int.random(in: 0...4, using: &random)).map { _ in subtree(using: &random) }
        let excluded = (0..<Int.random(in: 0...1, using: &random)).map { _ in subtree(using: &random) }
        return (permitted, excluded)
    }

    private static func subtree(using random: inout SeededGenerator) -> Subtree {
        switch Int.random(in: 0..<10, using: &random) {
        case 0: return .organization(pick(["Good", "Bad"], &random))
        case 1...3:
            let address = pick(addresses, &random)
            let ones = Int.random(in: 0...address.count * 8, using: &random)
            let mask = address.indices.map { index -> UInt8 in
                let bits = min(max(ones - index * 8, 0), 8)
                return bits == 0 ? 0 : UInt8.max << UInt8(8 - bits)
            }
            return .range(address + mask)
        default: return .dns(pick(bases, &random))
        }
    }
}
