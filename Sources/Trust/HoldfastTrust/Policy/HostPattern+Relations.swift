extension HostPattern {
    /// Whether every host of another pattern is covered by this one.
    package func reaches(_ other: HostPattern) -> Bool {
        if host == other.host {
            let order = [0, 1, 2, 3]
            return order.allSatisfy { !other.depth.covers(labelsBelow: $0) || depth.covers(labelsBelow: $0) }
        }
        guard other.host.text.hasSuffix("." + host.text), !other.host.isIPLiteral else { return false }
        let below = other.host.text.dropLast(host.text.count + 1).split(separator: ".").count
        return [0, 1, 2, 3].allSatisfy {
            !other.depth.covers(labelsBelow: $0) || depth.covers(labelsBelow: $0 + below)
        }
    }

    /// Whether some host is covered by both.
    package func overlaps(_ other: HostPattern) -> Bool {
        if host == other.host {
            return [0, 1, 2].contains { depth.covers(labelsBelow: $0) && other.depth.covers(labelsBelow: $0) }
        }
        let (upper, lower) = host.text.utf8.count < other.host.text.utf8.count ? (self, other) : (other, self)
        guard lower.host.text.hasSuffix("." + upper.host.text), !lower.host.isIPLiteral else { return false }
        let below = lower.host.text.dropLast(upper.host.text.count + 1).split(separator: ".").count
        return [0, 1, 2].contains { lower.depth.covers(labelsBelow: $0) && upper.depth.covers(labelsBelow: $0 + below) }
    }
}
