/// The permitted or the excluded subtrees of an authority (RFC 5280, 4.2.1.10), indexed by form. One search compares a
/// name with thousands of subtrees of its form, and skips all other forms.
struct SubtreeIndex {
    /// The relation of a name to the subtrees.
    enum Relation {
        /// No subtree has the form of the name.
        case otherForm
        /// A subtree contains the name.
        case inside
        /// Subtrees of the same form exist, but none contains the name.
        case outside
        /// A wildcard that lies partly inside, or a comparison without a definite result. It counts as not permitted
        /// and as excluded.
        case undecided
    }

    /// DNS names, including all names below them.
    private var domains = PrefixSet([])
    /// DNS names with a leading dot, which include only the names below them.
    private var below = PrefixSet([])
    /// The parents of ``domains``. A wildcard for such a parent can match one of the domains.
    private var parents: Set<String> = []
    private var addresses: [AddressRange] = []
    private var mailboxes = HostIndex()
    private var uris = HostIndex()
    private var directories = PrefixSet([])
    /// The decided prefixes of directory names with attributes that are not text. A name with such a prefix may lie
    /// inside.
    private var openDirectories = PrefixSet([])

    private var hasDNS = false
    private var hasAddress = false
    private var hasDirectory = false
    /// The tags of forms that are not supported. A name of such a form is refused if a subtree has the same form.
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

    /// Returns whether these subtrees, as excluded subtrees, forbid a name.
    func excludes(_ name: ConstrainedName) -> Bool {
        let relation = relation(of: name)
        return relation == .inside || relation == .undecided
    }

    /// Returns whether these subtrees, as permitted subtrees, allow a name. If a subtree has the form of the name, one
    /// of them must contain the name.
    func permits(_ name: ConstrainedName) -> Bool {
        let relation = relation(of: name)
        return relation == .inside || relation == .otherForm
    }

    /// Returns the relation of a name to the subtrees.
    func relation(of name: ConstrainedName) -> Relation {
        switch name.form {
        case .dns(let key, let isWildcard):
            guard hasDNS else { return .otherForm }
            return isWildcard ? wildcardRelation(key) : found(domains.covers(key) || below.coversBelow(key))
        case .ipAddress(let address):
            // If only addresses of the other IP version are permitted, the address is outside.
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
        // If the part after the wildcard is inside, all names that match the wildcard are inside.
        if domains.covers(parent) || below.covers(parent) { return .inside }
        // The wildcard can match a base itself. Such a wildcard is excluded and not permitted.
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

/// The subtrees for mailboxes or for URIs (RFC 5280, 4.2.1.10).
///
/// A subtree is a mailbox, a host, or with a leading dot all names below a domain without the domain itself. An empty
/// subtree contains all names.
struct HostIndex {
    private var whole: Set<String> = []
    private var hosts: Set<String> = []
    private var below = PrefixSet([])
    private var coversAll = false
    /// Whether there are no subtrees.
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
                // A single dot does not name a domain, so it contains no names.
                if range.count > 1 { belowKeys.append(DomainKey.key(of: der, in: range.dropFirst())) }
            } else {
                hosts.insert(DomainKey.key(of: der, in: range))
            }
        }
        below = PrefixSet(belowKeys)
    }

    /// Returns whether a subtree contains a name. The parameters are the text in lowercase and the ``DomainKey`` of the
    /// host.
    func covers(_ text: String, _ host: String) -> Bool {
        coversAll || hosts.contains(host) || below.coversBelow(host) || whole.contains(text)
    }
}

/// An IP address with a mask, as in name constraints (RFC 5280, 4.2.1.10).
struct AddressRange: Hashable {
    private let base: AddressNumber
    private let mask: AddressNumber

    /// Creates a range from the bytes of an address and of a mask. Returns `nil` unless there are 8 or 32 bytes and the
    /// mask consists of ones followed by zeros, as in RFC 4632.
    init?(_ bytes: ArraySlice<UInt8>) {
        let half = bytes.count / 2
        guard bytes.count == 2 * half, let base = AddressNumber(bytes.prefix(half)),
            let mask = AddressNumber(bytes.suffix(half)), AddressRange.isContiguous(bytes.suffix(half))
        else { return nil }
        self.mask = mask
        self.base = base
    }

    /// Returns whether an address lies in the range. An IPv4 range contains no IPv6 address, and vice versa.
    func contains(_ address: AddressNumber) -> Bool {
        address.isIPv6 == base.isIPv6 && (address.low ^ base.low) & mask.low == 0
            && (address.high ^ base.high) & mask.high == 0
    }

    private static func isContiguous(_ mask: ArraySlice<UInt8>) -> Bool {
        let firstOther = mask.drop { $0 == 0xFF }
        guard let byte = firstOther.first else { return true }
        // Ones followed by zeros are the complement of a power of two minus one.
        return ~byte & (~byte &+ 1) == 0 && firstOther.dropFirst().allSatisfy { $0 == 0 }
    }
}

/// An IP address as a number.
struct AddressNumber: Hashable {
    var high: UInt64
    var low: UInt64
    var isIPv6: Bool

    /// Creates a number from 4 or 16 bytes in network byte order. Returns `nil` for any other count.
    init?(_ bytes: ArraySlice<UInt8>) {
        guard bytes.count == 4 || bytes.count == 16 else { return nil }
        isIPv6 = bytes.count == 16
        (high, low) = (0, 0)
        for byte in bytes {
            high = high << 8 | low >> 56
            low = low << 8 | UInt64(byte)
        }
    }
}
