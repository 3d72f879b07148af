/// The subtrees of mailboxes or of URIs (RFC 5280, 4.2.1.10): a whole mailbox, a host (itself alone), or with a leading
/// dot all below a domain and not itself. An empty one covers all.
struct HostIndex {
    private var whole: Set<String> = []
    private var hosts: Set<String> = []
    private var below = PrefixSet([])
    private var coversAll = false
    /// Whether there are none.
    private(set) var isEmpty = true

    init() {}

    init(_ bases: [Range<Int>], in der: [UInt8]) {
        isEmpty = bases.isEmpty
        var belowKeys: [String] = []
        for range in bases {
            if range.isEmpty {
                coversAll = true
            } else if der[range].contains(UInt8(ascii: "@")) {
                whole.insert(DNSName.lowered(der, in: range))
            } else if der[range.lowerBound] == UInt8(ascii: ".") {
                // A dot alone names nothing that anything could be below.
                if range.count > 1 { belowKeys.append(DomainKey.key(of: der, in: range.dropFirst())) }
            } else {
                hosts.insert(DomainKey.key(of: der, in: range))
            }
        }
        below = PrefixSet(belowKeys)
    }

    /// Whether one covers a name, given as its text in lower case and the ``DomainKey`` of its host.
    func covers(_ text: String, _ host: String) -> Bool {
        coversAll || hosts.contains(host) || below.coversBelow(host) || whole.contains(text)
    }
}
