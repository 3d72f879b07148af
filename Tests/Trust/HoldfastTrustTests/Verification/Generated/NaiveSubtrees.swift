@testable import HoldfastTrust

/// Computes the expected results of ``SubtreeIndex`` from plain text, one subtree at a time.
struct NaiveSubtrees {
    enum Item: Hashable {
        case dns(String)
        case email(String)
        case uri(String)
        case address([UInt8])

        /// The bytes of the text or address.
        var bytes: [UInt8] {
            switch self {
            case .dns(let text), .email(let text), .uri(let text): Array(text.utf8)
            case .address(let bytes): bytes
            }
        }
    }

    var bases: [Item]

    func relation(of name: Item) -> SubtreeIndex.Relation {
        let relations = bases.map { relation(of: name, to: $0) }
        if relations.contains(.inside) { return .inside }
        if relations.contains(.undecided) { return .undecided }
        return relations.contains(.outside) ? .outside : .otherForm
    }

    private func relation(of name: Item, to base: Item) -> SubtreeIndex.Relation {
        switch (name, base) {
        case (.dns(let name), .dns(let base)): return dns(name.lowercased(), base.lowercased())
        case (.email(let name), .email(let base)):
            let (name, base) = (name.lowercased(), base.lowercased())
            guard let at = name.lastIndex(of: "@"), at > name.startIndex, name.index(after: at) < name.endIndex,
                name[name.index(after: at)] != "."
            else { return .undecided }
            if base.contains("@") { return name == base ? .inside : .outside }
            return host(String(name[name.index(after: at)...]), base)
        case (.uri(let name), .uri(let base)):
            guard let start = name.firstRange(of: "://") else { return .undecided }
            var authority = name[start.upperBound...].prefix { !"/?#".contains($0) }
            if let at = authority.lastIndex(of: "@") { authority = authority[authority.index(after: at)...] }
            let text = String(authority.prefix { $0 != ":" })
            guard isHost(text), text.contains(where: { $0 != "." && !("0"..."9").contains($0) }) else {
                return .undecided
            }
            return host(text.lowercased(), base.lowercased())
        case (.address(let name), .address(let base)):
            guard base.count == 2 * name.count else { return .outside }
            let isInside = name.indices.allSatisfy {
                name[$0] & base[name.count + $0] == base[$0] & base[name.count + $0]
            }
            return isInside ? .inside : .outside
        default: return .otherForm
        }
    }

    private func dns(_ name: String, _ base: String) -> SubtreeIndex.Relation {
        let isWildcard = name.hasPrefix("*.")
        let fixed = isWildcard ? String(name.dropFirst(2)) : name
        guard isHost(fixed) else { return .undecided }
        let isBelowOnly = base.hasPrefix(".")
        let domain = isBelowOnly ? String(base.dropFirst()) : base
        let isBelow = domain.isEmpty || fixed.hasSuffix("." + domain)
        if isWildcard {
            if isBelow || fixed == domain { return .inside }
            let parent = domain.split(separator: ".").dropFirst().joined(separator: ".")
            return !isBelowOnly && domain.contains(".") && parent == fixed ? .undecided : .outside
        }
        return isBelow || (!isBelowOnly && fixed == domain) ? .inside : .outside
    }

    private func host(_ host: String, _ base: String) -> SubtreeIndex.Relation {
        if base.isEmpty { return .inside }
        guard base.hasPrefix(".") else { return host == base ? .inside : .outside }
        return base.count > 1 && host.hasSuffix(base) && host != base ? .inside : .outside
    }

    private func isHost(_ text: String) -> Bool {
        let labels = text.split(separator: ".", omittingEmptySubsequences: false)
        return text.utf8.count <= 253
            && labels.allSatisfy { label in
                !label.isEmpty && label.utf8.count <= 63
                    && label.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "-" || $0 == "_") }
            }
    }
}
