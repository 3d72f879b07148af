import HoldfastBase

/// A name of a certificate as name constraints see it, ready for many comparisons (see ``SubtreeIndex``).
struct ConstrainedName {
    /// What is compared.
    enum Form {
        /// The ``DomainKey`` of what stands behind the wildcard, or of the whole name.
        case dns(String, isWildcard: Bool)
        case ipAddress(AddressNumber)
        /// The mailbox in lower case, and the ``DomainKey`` of its host.
        case email(String, host: String)
        /// The host, and its ``DomainKey``.
        case uri(String, host: String)
        case directory(DirectoryKey)
        case other(tag: UInt8)
        /// A name that cannot be judged: not permitted, and excluded.
        case unusable(Unusable)
    }

    /// The form of a name that cannot be judged.
    enum Unusable {
        case dns, email, uri, directory
    }

    var form: Form
    /// How many comparisons one comparison with this name counts for.
    var weight = 1
    /// Where the name lies in the certificate.
    private var range: Range<Int>?

    /// Every name of a certificate: the alternative names, the subject, and its e-mail address where there is no
    /// alternative one (RFC 5280, 4.2.1.10). Never a common name.
    static func all(of certificate: ParsedCertificate) -> [ConstrainedName] {
        let der = certificate.der
        var names: [ConstrainedName] = []
        names.reserveCapacity(certificate.extensions.subjectAlternativeNames.count + 1)
        var hasEmail = false
        for name in certificate.extensions.subjectAlternativeNames {
            if case .email = name { hasEmail = true }
            names.append(ConstrainedName(name, in: der))
        }
        if !DistinguishedName.isEmpty(certificate.outline.subject) {
            names.append(ConstrainedName(.directory(certificate.outline.subject), in: der))
            if !hasEmail, let subject = DistinguishedName.relativeNames(certificate.outline.subject, in: der) {
                for attribute in subject.joined() where attribute.type.elementsEqual(ObjectIdentifier.emailAddress) {
                    names.append(ConstrainedName(mailbox: attribute, in: der))
                }
            }
        }
        return names
    }

    init(_ name: GeneralName, in der: [UInt8]) {
        switch name {
        case .dns(let range):
            self.range = range
            form = ConstrainedName.dns(der, range)
        case .ipAddress(let range):
            self.range = range
            form = AddressNumber(der[range]).map { .ipAddress($0) } ?? .other(tag: 0x87)
        case .email(let range):
            self.range = range
            form = ConstrainedName.email(der, range)
        case .uri(let range):
            self.range = range
            form =
                URIHost.host(of: range, in: der).map {
                    .uri(DNSName.lowered(der, in: $0), host: DomainKey.key(of: der, in: $0))
                } ?? .unusable(.uri)
        case .directory(let range):
            self.range = range
            guard let names = DistinguishedName.relativeNames(range, in: der) else {
                form = .unusable(.directory)
                return
            }
            form = .directory(DirectoryKey(names))
            weight =
                max(1, names.count) + DistinguishedName.weight(of: names.joined().reduce(0) { $0 + $1.value.count })
        case .other(let tag):
            form = .other(tag: tag)
        }
    }

    /// A mailbox in a subject. One in a string type of several bytes for each character cannot be judged: it should be an
    /// IA5String (RFC 5280, 4.1.2.6), and must not pass as a mailbox at a host that no constraint names.
    private init(mailbox attribute: DistinguishedName.Attribute, in der: [UInt8]) {
        self.init(.email(attribute.value.indices), in: der)
        let isBytewise = [DERTag.ia5String, DERTag.utf8String, DERTag.printableString].contains(attribute.tag)
        if !isBytewise { form = .unusable(.email) }
    }

    private static func dns(_ der: [UInt8], _ range: Range<Int>) -> Form {
        let start = range.lowerBound
        let isWildcard = range.count >= 2 && der[start] == UInt8(ascii: "*") && der[start + 1] == UInt8(ascii: ".")
        let fixed = isWildcard ? (start + 2)..<range.upperBound : range
        guard DNSName.isPlausible(der, in: fixed) else { return .unusable(.dns) }
        return .dns(DomainKey.key(of: der, in: fixed), isWildcard: isWildcard)
    }

    private static func email(_ der: [UInt8], _ range: Range<Int>) -> Form {
        guard let at = der[range].lastIndex(of: UInt8(ascii: "@")), at > range.lowerBound, at + 1 < range.upperBound,
            der[at + 1] != UInt8(ascii: "."), der[range].max() ?? 0x80 < 0x80
        else { return .unusable(.email) }
        // The local part is case-sensitive; constraints are compared in lower case, which is stricter when excluding
        // than RFC 5321 asks for.
        return .email(
            DNSName.lowered(der, in: range), host: DomainKey.key(of: der, in: (at + 1)..<range.upperBound))
    }

    /// The name for people. `der` is the certificate's.
    func text(in der: [UInt8]) -> String {
        guard let range else { return "a name of an unsupported form" }
        switch form {
        case .dns, .unusable(.dns): return Printable.text(der[range].map(DNSName.lower))
        case .email, .uri, .unusable(.email), .unusable(.uri): return Printable.text(der[range])
        case .ipAddress: return IPAddressText.text(of: Array(der[range])) ?? der[range].hexadecimal
        case .directory: return DistinguishedName.text(of: range, in: der)
        case .unusable(.directory): return "a malformed name"
        case .other: return "a name of an unsupported form"
        }
    }
}

/// The host of a URI in a certificate, for name constraints.
enum URIHost {
    /// Where the host of the URI lies; `nil` if there is none, or if it is an IP address, to which RFC 5280 gives no
    /// meaning.
    static func host(of range: Range<Int>, in bytes: [UInt8]) -> Range<Int>? {
        guard var start = authority(of: range, in: bytes) else { return nil }
        var end = start
        scan: while end < range.upperBound {
            switch bytes[end] {
            case 0x2F, 0x3F, 0x23: break scan
            case 0x40: start = end + 1
            default: break
            }
            end += 1
        }
        var stop = start
        var isNumeric = true
        while stop < end, bytes[stop] != 0x3A {
            if bytes[stop] != 0x2E, bytes[stop] < 0x30 || bytes[stop] > 0x39 { isNumeric = false }
            stop += 1
        }
        // The bracket of an IPv6 address is no part of a name, so it is refused as well.
        guard !isNumeric, DNSName.isPlausible(bytes, in: start..<stop) else { return nil }
        return start..<stop
    }

    /// What follows the first `://`.
    private static func authority(of range: Range<Int>, in bytes: [UInt8]) -> Int? {
        var index = range.lowerBound
        while index + 2 < range.upperBound {
            if bytes[index] == 0x3A, bytes[index + 1] == 0x2F, bytes[index + 2] == 0x2F { return index + 3 }
            index += 1
        }
        return nil
    }
}
