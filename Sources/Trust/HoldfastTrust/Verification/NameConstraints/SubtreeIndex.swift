/// The permitted or the excluded subtrees of an authority (RFC 5280, 4.2.1.10), by form and ready for look-up: a name is
/// compared with thousands of subtrees of its form in one search, and with none of another form.
struct SubtreeIndex {
    /// How a name relates to the subtrees.
    enum Relation {
        /// There is no subtree of the name's form.
        case otherForm
        /// One has it.
        case inside
        /// None has it.
        case outside
        /// A wildcard of which a part lies inside, or a comparison that cannot be decided: not permitted, and excluded.
        case undecided
    }

    /// DNS names and all below them.
    private var domains = PrefixSet([])
    /// What is below DNS names (a leading dot).
    private var below = PrefixSet([])
    /// The domains one label above ``domains``: a wildcard there can become one of them.
    private var parents: Set<String> = []
    private var addresses: [AddressRange] = []
    private var mailboxes = HostIndex()
    private var uris = HostIndex()
    private var directories = PrefixSet([])
    /// The decided beginnings of directory names that hold more than text: what begins like this may lie inside.
    private var openDirectories = PrefixSet([])

    private var hasDNS = false
    private var hasAddress = false
    private var hasDirectory = false
    /// Forms that are not processed: a name of such a form is refused wherever one of its subtrees stands.
    private var otherTags: Set<UInt8> = []

    init(_ subtrees: [GeneralName], in der: [UInt8]) {
        var (domainKeys, belowKeys): ([String], [String]) = ([], [])
        var (directoryKeys, openKeys): ([String], [String]) = ([], [])
        var (mailboxBases, uriBases): ([Range<Int>], [Range<Int>]) = ([], [])
        for subtree in subtrees {
            switch subtree {
            case .dns(let range):
                if !range.isEmpty, der[range.lowerBound] == UInt8(ascii: ".") {
                    belowKeys.append(DomainKey.key(of: der, in: range.dropFirst()))
                } else {
                    domainKeys.append(DomainKey.key(of: der, in: range))
                }
            case .ipAddress(let range):
                hasAddress = true
                if let range = AddressRange(der[range]) { addresses.append(range) }
            case .email(let range): mailboxBases.append(range)
            case .uri(let range): uriBases.append(range)
            case .directory(let range):
                // The form was checked when the certificate was read.
                hasDirectory = true
                if let names = DistinguishedName.relativeNames(range, in: der) {
                    let key = DirectoryKey(names)
                    directoryKeys.append(key.text)
                    if !key.isDecided { openKeys.append(key.decided) }
                }
            case .other(let tag): otherTags.insert(tag)
            }
        }
        hasDNS = !domainKeys.isEmpty || !belowKeys.isEmpty
        parents = Set(domainKeys.compactMap(DomainKey.parent))
        domains = PrefixSet(domainKeys)
        below = PrefixSet(belowKeys)
        directories = PrefixSet(directoryKeys)
        openDirectories = PrefixSet(openKeys)
        mailboxes = HostIndex(mailboxBases, in: der)
        uris = HostIndex(uriBases, in: der)
    }

    /// Whether a name is not to be issued where these subtrees are excluded.
    func excludes(_ name: ConstrainedName) -> Bool {
        let relation = relation(of: name)
        return relation == .inside || relation == .undecided
    }

    /// Whether a name may be issued where these subtrees are the permitted ones: it must lie in one, if one has its form.
    func permits(_ name: ConstrainedName) -> Bool {
        let relation = relation(of: name)
        return relation == .inside || relation == .otherForm
    }

    /// How a name relates to the subtrees.
    func relation(of name: ConstrainedName) -> Relation {
        switch name.form {
        case .dns(let key, let isWildcard):
            guard hasDNS else { return .otherForm }
            return isWildcard ? wildcardRelation(key) : found(domains.covers(key) || below.coversBelow(key))
        case .ipAddress(let address):
            // With only the other kind of address permitted, an address is outside.
            return hasAddress ? found(contains(address)) : .otherForm
        case .email(let text, let host): return mailboxes.isEmpty ? .otherForm : found(mailboxes.covers(text, host))
        case .uri(let text, let host): return uris.isEmpty ? .otherForm : found(uris.covers(text, host))
        case .directory(let key): return hasDirectory ? directoryRelation(key) : .otherForm
        case .other(let tag): return otherTags.contains(tag) ? .undecided : .otherForm
        case .unusable(let form):
            let isConstrained =
                switch form {
                case .dns: hasDNS
                case .email: !mailboxes.isEmpty
                case .uri: !uris.isEmpty
                case .directory: hasDirectory
                }
            return isConstrained ? .undecided : .otherForm
        }
    }

    private func found(_ isInside: Bool) -> Relation { isInside ? .inside : .outside }

    private func wildcardRelation(_ parent: String) -> Relation {
        // All that a wildcard can become lies inside if what follows it does.
        if domains.covers(parent) || below.covers(parent) { return .inside }
        // One thing that it can become is a base itself: excluded then, and not permitted.
        return parents.contains(parent) ? .undecided : .outside
    }

    private func directoryRelation(_ key: DirectoryKey) -> Relation {
        if directories.covers(key.text) { return .inside }
        return key.isDecided && !openDirectories.covers(key.text) ? .outside : .undecided
    }

    private func contains(_ address: AddressNumber) -> Bool {
        var index = 0
        while index < addresses.count {
            if addresses[index].contains(address) { return true }
            index += 1
        }
        return false
    }
}

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
