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
