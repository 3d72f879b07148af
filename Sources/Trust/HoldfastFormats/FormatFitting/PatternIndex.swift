import HoldfastTrust

/// Finds the patterns that can overlap with another pattern, by the labels of its host.
///
/// A pattern covers only its host and the hosts below it. The candidates are therefore the patterns of the same host
/// and of its parents, so unrelated patterns are never compared. Of equal patterns, the first is kept.
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

    /// Returns the indices of the patterns for a host and for its parents, the host's own first.
    func atOrAbove(_ host: CanonicalHost) -> [Int] {
        host.textAndParents.flatMap { places[String($0)] ?? [] }
    }

    /// Returns the indices of the patterns that are less specific than the given one and overlap with it. One of them
    /// applies if the given pattern is removed.
    func beneath(_ pattern: HostPattern) -> [Int] {
        atOrAbove(pattern.host).filter {
            patterns[$0].isLessSpecific(than: pattern) && patterns[$0].overlaps(pattern)
        }
    }
}

extension HostPattern {
    /// Returns whether the other pattern takes precedence where both cover a host: it has a longer host, or the same
    /// host and a smaller depth.
    func isLessSpecific(than other: HostPattern) -> Bool {
        if host != other.host { return host.text.utf8.count < other.host.text.utf8.count }
        return depth.reach > other.depth.reach
    }
}
