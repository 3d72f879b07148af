/// A name of a certificate as name constraints see it.
enum ConstrainedName: CustomStringConvertible {
    /// How a name relates to a subtree.
    enum Relation {
        case otherForm
        case inside
        case outside
        /// A wildcard of which a part lies inside, or a name that cannot be judged: not permitted, and excluded.
        case undecided

        var countsAsExcluded: Bool { self == .inside || self == .undecided }
    }

    /// In lower case, without the wildcard's asterisk and dot; judged once, since it is compared often.
    case dns(fixed: [UInt8], isWildcard: Bool, isPlausible: Bool)
    case ipAddress([UInt8])
    case email([UInt8])
    case uri([UInt8])
    case directory([[DistinguishedName.Attribute]], text: String)
    /// A name whose bytes are malformed.
    case malformedDirectory
    case other(tag: UInt8)

    /// Every name of a certificate: the alternative names, the subject, and its e-mail address where there is no
    /// alternative one (RFC 5280, 4.2.1.10). Never a common name.
    static func all(of certificate: ParsedCertificate) -> [ConstrainedName] {
        let der = certificate.der
        var names: [ConstrainedName] = []
        var hasEmail = false
        for name in certificate.subjectAlternativeNames {
            switch name {
            case .dns(let range): names.append(dns(der[range]))
            case .ipAddress(let range): names.append(.ipAddress(Array(der[range])))
            case .email(let range):
                hasEmail = true
                names.append(.email(Array(der[range])))
            case .uri(let range): names.append(.uri(Array(der[range])))
            case .directory(let range): names.append(directory(range, der))
            case .other(let tag): names.append(.other(tag: tag))
            }
        }
        if !DistinguishedName.isEmpty(certificate.subject) {
            let subject = directory(certificate.subject, der)
            names.append(subject)
            if !hasEmail, case .directory(let relativeNames, _) = subject {
                for attribute in relativeNames.joined()
                where attribute.type.elementsEqual(ObjectIdentifier.emailAddress) {
                    names.append(.email(Array(attribute.value)))
                }
            }
        }
        return names
    }

    private static func dns(_ bytes: ArraySlice<UInt8>) -> ConstrainedName {
        let isWildcard = bytes.starts(with: [UInt8(ascii: "*"), UInt8(ascii: ".")])
        let fixed = (isWildcard ? bytes.dropFirst(2) : bytes).map(DNSName.lower)
        return .dns(fixed: fixed, isWildcard: isWildcard, isPlausible: DNSName.isPlausible(fixed))
    }

    private static func directory(_ range: Range<Int>, _ der: [UInt8]) -> ConstrainedName {
        guard let names = DistinguishedName.relativeNames(range, in: der) else { return .malformedDirectory }
        return .directory(names, text: DistinguishedName.text(of: range, in: der))
    }

    /// How many comparisons one comparison with this name counts for.
    var weight: Int {
        guard case .directory(let names, _) = self else { return 1 }
        return max(1, names.count) + DistinguishedName.weight(of: names.joined().reduce(0) { $0 + $1.value.count })
    }

    /// How the name relates to a subtree.
    func relation(to constraint: NameConstraint) -> Relation {
        switch (self, constraint) {
        case (.dns(let fixed, let isWildcard, let isPlausible), .dns(let base, let subdomainsOnly)):
            guard isPlausible else { return .undecided }
            return isWildcard
                ? wildcardRelation(fixed, base, subdomainsOnly) : dnsRelation(fixed, base, subdomainsOnly)
        case (.ipAddress(let address), .ipAddress(let base, let mask)):
            // An IPv4 subtree says nothing about IPv6 addresses, and the other way round, but both are addresses:
            // with only the other kind permitted, an address is outside.
            guard address.count == base.count else { return .outside }
            let isInside = zip(zip(address, base), mask).allSatisfy { $0.0 & $1 == $0.1 & $1 }
            return isInside ? .inside : .outside
        case (.email(let mailbox), .email(let base)): return mailboxRelation(mailbox, base)
        case (.uri(let uri), .uri(let base)):
            guard let host = URIHost.host(of: uri) else { return .undecided }
            return hostRelation(host, base)
        case (.directory(let names, _), .directory(let base)):
            guard let baseNames = DistinguishedName.relativeNames(0..<base.count, in: base) else { return .undecided }
            return DistinguishedName.isInSubtree(names, of: baseNames) ? .inside : .outside
        case (.malformedDirectory, .directory): return .undecided
        case (.other(let tag), .other(let constrained)):
            // RFC 5280, 4.2.1.10: a constraint of a form that is not processed refuses the names of that form.
            return tag == constrained ? .undecided : .otherForm
        default: return .otherForm
        }
    }

    private func dnsRelation(_ name: [UInt8], _ base: [UInt8], _ subdomainsOnly: Bool) -> Relation {
        let isInside = subdomainsOnly ? DNSName.isBelow(name, base) : DNSName.isInSubtree(name, of: base)
        return isInside ? .inside : .outside
    }

    private func wildcardRelation(_ parent: [UInt8], _ base: [UInt8], _ subdomainsOnly: Bool) -> Relation {
        // All that a wildcard can become lies inside if what follows it does.
        if DNSName.isInSubtree(parent, of: base) { return .inside }
        // One thing that it can become is the base itself: excluded then, and not permitted.
        if !subdomainsOnly, let dot = base.firstIndex(of: UInt8(ascii: ".")), base[(dot + 1)...].elementsEqual(parent) {
            return .undecided
        }
        return .outside
    }

    private func mailboxRelation(_ mailbox: [UInt8], _ base: [UInt8]) -> Relation {
        guard let at = mailbox.lastIndex(of: UInt8(ascii: "@")), at > 0, at < mailbox.count - 1 else {
            return .undecided
        }
        let host = mailbox[(at + 1)...].map(DNSName.lower)
        if let baseAt = base.lastIndex(of: UInt8(ascii: "@")) {
            // The local part is case-sensitive; the constraint was folded, so compare folded and be stricter when
            // excluding than RFC 5321 asks for.
            let isSame =
                host.elementsEqual(base[(baseAt + 1)...])
                && mailbox[..<at].map(DNSName.lower).elementsEqual(base[..<baseAt])
            return isSame ? .inside : .outside
        }
        return hostRelation(host, base)
    }

    /// RFC 5280: a host is itself alone; with a leading dot, everything below and not itself.
    private func hostRelation(_ host: [UInt8], _ base: [UInt8]) -> Relation {
        if base.isEmpty { return .inside }
        if base.first == UInt8(ascii: ".") {
            return DNSName.isBelow(host, Array(base.dropFirst())) ? .inside : .outside
        }
        return host.elementsEqual(base) ? .inside : .outside
    }

    var description: String {
        switch self {
        case .dns(let fixed, let isWildcard, _): (isWildcard ? "*." : "") + Printable.text(fixed)
        case .email(let bytes), .uri(let bytes): Printable.text(bytes)
        case .ipAddress(let bytes): IPAddressText.text(of: bytes) ?? bytes.hexadecimal
        case .directory(_, let text): text
        case .malformedDirectory: "a malformed name"
        case .other: "a name of an unsupported form"
        }
    }
}
