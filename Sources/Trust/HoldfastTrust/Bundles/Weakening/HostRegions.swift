/// The regions into which the patterns of two policies divide all hosts, with the effect of each policy in each region.
///
/// Two hosts are in one region if every pattern of both policies covers both of them or neither. Each host of a pattern
/// yields at most three regions: the host itself, unnamed hosts one label below it, and unnamed hosts further below.
/// All other hosts are one region. The work is linear in the rules, their pins and the labels of their hosts.
struct HostRegions: Sendable {
    /// A region with the effects of both policies.
    struct Element: Sendable {
        var region: HostRegion
        var old: RegionProfile
        var new: RegionProfile
        /// The required certificate timestamps, which do not depend on time.
        var oldTransparency: [TransparencyRequirement]
        var newTransparency: [TransparencyRequirement]
    }

    private let old: LayeredPolicy
    private let new: LayeredPolicy
    /// The distinct hosts of the patterns, those of the old policy first.
    private let hosts: [CanonicalHost]

    /// Divides all hosts into regions.
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
        // A label and its dot take at least two bytes, and names have a maximum length (RFC 1035, 2.3.4).
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
            new: new.profile(ancestors, labelsBelow: labels),
            oldTransparency: old.transparency(ancestors, labelsBelow: labels),
            newTransparency: new.transparency(ancestors, labelsBelow: labels))
    }
}

/// Hosts that the patterns of two policies do not distinguish.
struct HostRegion: Hashable, Sendable, CustomStringConvertible {
    /// The position of the hosts relative to the host of a pattern.
    enum Place: Hashable, Sendable {
        /// The host itself.
        case itself
        /// The hosts one label below it that are not named by a pattern.
        case oneLabelBelow
        /// The hosts two or more labels below it that are not below another host of a pattern.
        case furtherBelow
        /// The hosts that are neither named by a pattern nor below one.
        case unrelated
    }

    /// The host of a pattern, or an empty string for unrelated hosts.
    var host: String
    /// The position of the hosts.
    var place: Place

    /// The hosts that are not covered by any pattern.
    static var unrelated: HostRegion { HostRegion(host: "", place: .unrelated) }

    var description: String {
        switch place {
        case .itself: host
        case .oneLabelBelow: "hosts directly below \(host)"
        case .furtherBelow: "hosts two or more labels below \(host)"
        case .unrelated: "hosts without a rule"
        }
    }
}
