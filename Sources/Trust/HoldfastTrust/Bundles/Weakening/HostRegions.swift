/// The regions into which the patterns of two policies divide all hosts, with what each policy does there.
///
/// Two hosts are in one region if every pattern of either policy covers both of them or neither. For each host of a pattern
/// there are at most three regions: the host itself, unnamed hosts one label below it, and unnamed hosts further below. All
/// other hosts are one region. The work is linear in the rules, their pins and the labels of their hosts.
struct HostRegions: Sendable {
    /// One region with both policies.
    struct Element: Sendable {
        var region: HostRegion
        var old: RegionProfile
        var new: RegionProfile
    }

    private let old: LayeredPolicy
    private let new: LayeredPolicy
    /// The hosts of the patterns, each once, those of the old policy first.
    private let hosts: [CanonicalHost]

    /// Divides all hosts.
    init(old: PinningPolicy, new: PinningPolicy) {
        self.old = LayeredPolicy(old)
        self.new = LayeredPolicy(new)
        var seen: Set<String> = []
        hosts = (old.rules.lazy.map(\.host) + new.rules.lazy.map(\.host)).filter { seen.insert($0.text).inserted }
    }

    /// Calls `body` with each region until it returns false.
    func forEach(_ body: (Element) -> Bool) {
        guard body(element(.unrelated, [], labelsBelow: 0)) else { return }
        for host in hosts {
            for element in elements(of: host) {
                guard body(element) else { return }
            }
        }
    }

    private func elements(of host: CanonicalHost) -> [Element] {
        let ancestors = host.textAndParents.map { String($0) }
        var found = [element(HostRegion(host: host.text, place: .itself), ancestors, labelsBelow: 0)]
        guard !host.isIPLiteral else { return found }
        // A label and its dot take two bytes, and there are no longer names (RFC 1035, 2.3.4).
        let room = DomainName.lengthLimit - host.text.utf8.count
        if room >= 2 {
            found.append(element(HostRegion(host: host.text, place: .oneLabelBelow), ancestors, labelsBelow: 1))
        }
        if room >= 4 {
            found.append(element(HostRegion(host: host.text, place: .furtherBelow), ancestors, labelsBelow: 2))
        }
        return found
    }

    private func element(_ region: HostRegion, _ ancestors: [String], labelsBelow labels: Int) -> Element {
        Element(
            region: region, old: old.profile(ancestors, labelsBelow: labels),
            new: new.profile(ancestors, labelsBelow: labels))
    }
}

/// Hosts that no pattern of two policies tells apart.
struct HostRegion: Hashable, Sendable {
    /// Where the hosts are, seen from the host of a pattern.
    enum Place: Hashable, Sendable {
        /// The host itself.
        case itself
        /// The hosts one label below it that no pattern names.
        case oneLabelBelow
        /// The hosts two or more labels below it that are below no other host of a pattern.
        case furtherBelow
        /// The hosts that are neither named by a pattern nor below one.
        case unrelated
    }

    /// The host of a pattern; empty for unrelated hosts.
    var host: String
    /// Where the hosts are.
    var place: Place

    /// The hosts that no pattern reaches.
    static var unrelated: HostRegion { HostRegion(host: "", place: .unrelated) }
}

extension HostRegion: CustomStringConvertible {
    var description: String {
        switch place {
        case .itself: host
        case .oneLabelBelow: "hosts directly below \(host)"
        case .furtherBelow: "hosts further below \(host)"
        case .unrelated: "hosts without a rule"
        }
    }
}
