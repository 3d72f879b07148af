/// The hosts of a rule: a host and a depth below it.
public struct HostPattern: Hashable, Sendable, CustomStringConvertible {
    /// The depth of a pattern below its host. An IP address does not have subdomains.
    public enum Depth: String, Hashable, Sendable, CaseIterable {
        /// Only the host.
        case exact
        /// Exactly one label below the host, without the host itself: `*.example.com`.
        case oneLabel
        /// The host and exactly one label below it, the semantics of `NSIncludesSubdomains`.
        case apexAndOneLabel
        /// Any number of labels below the host, without the host itself.
        case anyDepth
        /// The host and any number of labels below it: `includesSubdomains`, and `**.example.com`.
        case apexAndAnyDepth

        /// Returns whether the depth covers a host that is this number of labels below the pattern's host.
        package func covers(labelsBelow count: Int) -> Bool {
            switch self {
            case .exact: count == 0
            case .oneLabel: count == 1
            case .apexAndOneLabel: count <= 1
            case .anyDepth: count >= 1
            case .apexAndAnyDepth: true
            }
        }

        /// The position in the order of precedence of depths for the same host. The lowest value takes precedence.
        package var reach: Int { Self.allCases.firstIndex(of: self) ?? Self.allCases.count }
    }

    /// The host.
    public let host: CanonicalHost
    /// The depth below the host.
    public let depth: Depth

    /// Creates a pattern.
    public init(_ host: CanonicalHost, depth: Depth = .exact) {
        self.host = host
        self.depth = host.isIPLiteral ? .exact : depth
    }

    /// Reads `example.com`, `*.example.com` (one label) or `**.example.com` (any depth and the host itself).
    ///
    /// - Throws: ``HostError`` if the rest is not a valid host, or is an IP address with an asterisk. An asterisk is
    ///   not allowed at any other position.
    public init(_ text: String) throws(HostError) {
        let (prefix, depth): (String, Depth) =
            text.hasPrefix("**.")
            ? ("**.", .apexAndAnyDepth) : text.hasPrefix("*.") ? ("*.", .oneLabel) : ("", .exact)
        let host = try CanonicalHost(String(text.dropFirst(prefix.count)))
        guard depth == .exact || !host.isIPLiteral else {
            throw HostError(
                .forbiddenCharacter, spelling: text,
                reason: "IP addresses do not have subdomains, so \(prefix) is not allowed.")
        }
        self.init(host, depth: depth)
    }

    /// Returns whether a host is covered.
    public func covers(_ other: CanonicalHost) -> Bool {
        labels(of: other).map(depth.covers) ?? false
    }

    /// Returns the number of labels that another host has below the pattern's host, or `nil` if it is not below it.
    private func labels(of other: CanonicalHost) -> Int? {
        if other == host { return 0 }
        guard !other.isIPLiteral, other.text.hasSuffix("." + host.text) else { return nil }
        return other.text.dropLast(host.text.count + 1).split(separator: ".").count
    }

    /// The pattern as text: `example.com`, `*.example.com` or `**.example.com`. The two depths without such a form are
    /// described in words.
    public var description: String {
        switch depth {
        case .exact: host.text
        case .oneLabel: "*." + host.text
        case .apexAndAnyDepth: "**." + host.text
        case .apexAndOneLabel: host.text + " and one label below"
        case .anyDepth: "all below " + host.text
        }
    }

    /// Returns whether this pattern covers every host of another pattern.
    package func reaches(_ other: HostPattern) -> Bool {
        guard let below = labels(of: other.host) else { return false }
        return (0...3).allSatisfy { !other.depth.covers(labelsBelow: $0) || depth.covers(labelsBelow: $0 + below) }
    }

    /// Returns whether both patterns cover a common host.
    package func overlaps(_ other: HostPattern) -> Bool {
        let (upper, lower) = host.text.utf8.count < other.host.text.utf8.count ? (self, other) : (other, self)
        guard let below = upper.labels(of: lower.host) else { return false }
        return (0...2).contains { lower.depth.covers(labelsBelow: $0) && upper.depth.covers(labelsBelow: $0 + below) }
    }
}
