/// A simple implementation of name constraints that is independent of the engine. A name is a list of labels, a
/// wildcard is the set of all matching names, and an address is a list of bits.
enum NaiveNameConstraints {
    /// Returns whether no authority forbids a name of the certificates below it.
    static func allow(_ world: NameConstraintWorld) -> Bool {
        for (level, authority) in world.authorities.enumerated() {
            for lower in world.authorities.indices where lower > level {
                let certificate = world.authorities[lower]
                let above = world.authorities[lower - 1]
                // Self-issued certificates are exempt, except the last certificate of the chain.
                if certificate.commonName == above.commonName, certificate.organization == above.organization {
                    continue
                }
                guard allows(organization: certificate.organization, authority) else { return false }
            }
            guard allows(organization: world.leafOrganization, authority) else { return false }
            for name in world.leafNames {
                guard allows(name, authority) else { return false }
            }
        }
        return true
    }

    private static func allows(_ name: NameConstraintWorld.Name, _ authority: NameConstraintWorld.Authority) -> Bool {
        switch name {
        case .dns(let text):
            let permitted = bases(authority.permitted)
            let excluded = bases(authority.excluded)
            return instances(of: text.lowercased()).allSatisfy { host in
                !excluded.contains { covers($0, host) }
                    && (permitted.isEmpty || permitted.contains { covers($0, host) })
            }
        case .address(let address):
            let permitted = ranges(authority.permitted)
            let excluded = ranges(authority.excluded)
            return !excluded.contains { covers($0, address) }
                && (permitted.isEmpty || permitted.contains { covers($0, address) })
        }
    }

    private static func allows(organization: String?, _ authority: NameConstraintWorld.Authority) -> Bool {
        let permitted = organizations(authority.permitted)
        let excluded = organizations(authority.excluded)
        guard let organization else { return permitted.isEmpty }
        return !excluded.contains(organization) && (permitted.isEmpty || permitted.contains(organization))
    }

    // MARK: - Names

    /// Returns all hosts that a name stands for, as far as the constraints of a test case can distinguish them.
    private static func instances(of name: String) -> [String] {
        guard name.hasPrefix("*.") else { return [name] }
        return (NameConstraintWorld.labels + ["something-else"]).map { $0 + name.dropFirst() }
    }

    private static func covers(_ base: String, _ host: String) -> Bool {
        if base.isEmpty { return true }
        let wanted = base.split(separator: ".").reversed()
        let labels = host.split(separator: ".").reversed()
        guard labels.count >= wanted.count + (base.hasPrefix(".") ? 1 : 0) else { return false }
        return zip(wanted, labels).allSatisfy { $0 == $1 }
    }

    private static func covers(_ range: [UInt8], _ address: [UInt8]) -> Bool {
        guard range.count == address.count * 2 else { return false }
        let mask = bits(Array(range[address.count...]))
        return zip(zip(bits(Array(range[..<address.count])), bits(address)), mask).allSatisfy { pair, counts in
            !counts || pair.0 == pair.1
        }
    }

    private static func bits(_ bytes: [UInt8]) -> [Bool] {
        bytes.flatMap { byte in (0..<8).map { byte & (0x80 >> UInt8($0)) != 0 } }
    }

    // MARK: - Subtrees by form

    private static func bases(_ list: [NameConstraintWorld.Subtree]) -> [String] {
        list.compactMap { if case .dns(let text) = $0 { text.lowercased() } else { nil } }
    }

    private static func ranges(_ list: [NameConstraintWorld.Subtree]) -> [[UInt8]] {
        list.compactMap { if case .range(let bytes) = $0 { bytes } else { nil } }
    }

    private static func organizations(_ list: [NameConstraintWorld.Subtree]) -> [String] {
        list.compactMap { if case .organization(let name) = $0 { name } else { nil } }
    }
}
