import HoldfastTrust

/// Finds the patterns that can cover what another one covers, by the labels of its host. A pattern reaches only downwards, so
/// they are those of the same host and of the hosts above it, and no pair of patterns has to be compared that has nothing to
/// do with each other. Of equal patterns the first is kept.
struct PatternIndex {
    private var places: [String: [Int]] = [:]
    private let patterns: [HostPattern]

    init(_ patterns: [HostPattern]) {
        self.patterns = patterns
        for (place, pattern) in patterns.enumerated() {
            let known = places[pattern.host.text] ?? []
            guard !known.contains(where: { patterns[$0] == pattern }) else { continue }
            places[pattern.host.text, default: []].append(place)
        }
    }

    /// The places of the patterns for a host and for those above it, the host's own first.
    func atOrAbove(_ host: CanonicalHost) -> [Int] {
        host.textAndParents.flatMap { places[String($0)] ?? [] }
    }

    /// The places of the patterns that are less specific than this one and cover some host that it covers: what would count
    /// if it were not there.
    func beneath(_ pattern: HostPattern) -> [Int] {
        atOrAbove(pattern.host).filter {
            patterns[$0].isLessSpecific(than: pattern) && patterns[$0].overlaps(pattern)
        }
    }
}

extension HostPattern {
    /// Whether another pattern comes first where both cover a host: it is for a longer host, or for the same host and reaches
    /// less far.
    func isLessSpecific(than other: HostPattern) -> Bool {
        if host != other.host { return host.text.utf8.count < other.host.text.utf8.count }
        return depth.reach > other.depth.reach
    }
}
