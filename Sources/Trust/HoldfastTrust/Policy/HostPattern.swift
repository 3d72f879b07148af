/// Which hosts a rule is for: a host, and how far below it the rule reaches.
public struct HostPattern: Hashable, Sendable, CustomStringConvertible {
    /// How far below its host a pattern reaches. An IP address has nothing below it.
    public enum Depth: String, Hashable, Sendable, CaseIterable {
        /// The host alone.
        case exact
        /// Exactly one label below the host, and not the host: `*.example.com`.
        case oneLabel
        /// The host and exactly one label below it, which is how far `NSIncludesSubdomains` reaches.
        case apexAndOneLabel
        /// Any number of labels below the host, and not the host.
        case anyDepth
        /// The host and any number of labels below it: `includesSubdomains`, and `**.example.com`.
        case apexAndAnyDepth

        /// Whether a host this many labels below the pattern's is covered.
        package func covers(labelsBelow count: Int) -> Bool {
            switch self {
            case .exact: count == 0
            case .oneLabel: count == 1
            case .apexAndOneLabel: count <= 1
            case .anyDepth: count >= 1
            case .apexAndAnyDepth: true
            }
        }

        /// The place in the order from the depth that comes first for a host to the one that comes last.
        package var reach: Int { Self.allCases.firstIndex(of: self) ?? Self.allCases.count }
    }

    /// The host.
    public let host: CanonicalHost
    /// How far below it the pattern reaches.
    public let depth: Depth

    /// Makes a pattern.
    public init(_ host: CanonicalHost, depth: Depth = .exact) {
        self.host = host
        self.depth = host.isIPLiteral ? .exact : depth
    }

    /// Reads `example.com`, `*.example.com` (one label) or `**.example.com` (any depth and the host itself).
    ///
    /// Throws ``HostError`` if what is left is no host, or is an IP address below which an asterisk makes no sense. An
    /// asterisk anywhere else is no part of a host.
    public init(_ text: String) throws(HostError) {
        let (prefix, depth): (String, Depth) =
            if text.hasPrefix("**.") { ("**.", .apexAndAnyDepth) } else if text.hasPrefix("*.") {
                ("*.", .oneLabel)
            } else { ("", .exact) }
        let host = try CanonicalHost(String(text.dropFirst(prefix.count)))
        guard depth == .exact || !host.isIPLiteral else {
            throw HostError(
                .forbiddenCharacter, spelling: text,
                reason: "An IP address has no subdomains, so \(prefix) has no meaning.")
        }
        self.init(host, depth: depth)
    }

    /// Whether a host is covered.
    public func covers(_ other: CanonicalHost) -> Bool {
        labels(of: other).map(depth.covers) ?? false
    }

    /// The number of labels that another host has below the pattern's host; `nil` if it is not below it.
    private func labels(of other: CanonicalHost) -> Int? {
        if other == host { return 0 }
        guard !other.isIPLiteral, other.text.hasSuffix("." + host.text) else { return nil }
        return other.text.dropLast(host.text.count + 1).split(separator: ".").count
    }

    /// `example.com`, `*.example.com`, `**.example.com`; the two depths without a spelling of their own are described.
    public var description: String {
        switch depth {
        case .exact: host.text
        case .oneLabel: "*." + host.text
        case .apexAndAnyDepth: "**." + host.text
        case .apexAndOneLabel: host.text + " and one label below"
        case .anyDepth: "all below " + host.text
        }
    }
}

extension HostPattern {
    /// Whether every host of another pattern is covered by this one.
    package func reaches(_ other: HostPattern) -> Bool {
        guard let below = labels(of: other.host) else { return false }
        return (0...3).allSatisfy { !other.depth.covers(labelsBelow: $0) || depth.covers(labelsBelow: $0 + below) }
    }

    /// Whether some host is covered by both.
    package func overlaps(_ other: HostPattern) -> Bool {
        let (upper, lower) = host.text.utf8.count < other.host.text.utf8.count ? (self, other) : (other, self)
        guard let below = upper.labels(of: lower.host) else { return false }
        return (0...2).contains { lower.depth.covers(labelsBelow: $0) && upper.depth.covers(labelsBelow: $0 + below) }
    }
}
