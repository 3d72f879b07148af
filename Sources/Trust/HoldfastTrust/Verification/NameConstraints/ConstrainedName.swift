import HoldfastBase

/// A name in a certificate, prepared for many comparisons with name constraints. See ``SubtreeIndex``.
struct ConstrainedName {
    /// The form of the name, with the value to compare.
    enum Form {
        /// The ``DomainKey`` of the name. For a wildcard, of the part after the wildcard.
        case dns(String, isWildcard: Bool)
        case ipAddress(AddressNumber)
        /// The mailbox in lowercase, and the ``DomainKey`` of its host.
        case email(String, host: String)
        /// The host, and its ``DomainKey``.
        case uri(String, host: String)
        case directory(DirectoryKey)
        case other(tag: UInt8)
        /// A name that cannot be compared. It counts as not permitted and as excluded.
        case unusable(Unusable)
    }

    /// The forms of names that cannot be compared.
    enum Unusable {
        case dns, email, uri, directory
    }

    var form: Form
    /// The cost of one comparison with this name.
    var weight = 1
    /// The position of the name in the certificate.
    private var range: Range<Int>?

    /// Returns all names of a certificate to which name constraints apply: the subject alternative names and the
    /// subject (RFC 5280, 4.2.1.10).
    ///
    /// If there is no alternative e-mail address, the e-mail addresses in the subject are included. Common names are
    /// never included.
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

    /// Creates a name from a mailbox in a subject.
    ///
    /// A mailbox in a string type with several bytes per character cannot be compared. RFC 5280, 4.1.2.6 requires an
    /// IA5String, and another type must not bypass the constraints.
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
        // The local part is case-sensitive. Constraints are compared in lowercase, which excludes more than RFC 5321
        // requires.
        return .email(
            DNSName.lowered(der, in: range), host: DomainKey.key(of: der, in: (at + 1)..<range.upperBound))
    }

    /// Returns the name as text. `der` contains the bytes of the certificate.
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

/// Finds the host of a URI in a certificate, for name constraints.
enum URIHost {
    /// Returns the position of the host in the URI. Returns `nil` if there is none or if it is an IP address, for which
    /// RFC 5280 defines no meaning.
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
        // The bracket of an IPv6 address is not part of a name, so the check refuses it.
        guard !isNumeric, DNSName.isPlausible(bytes, in: start..<stop) else { return nil }
        return start..<stop
    }

    /// Returns the start of the text after the first `://`.
    private static func authority(of range: Range<Int>, in bytes: [UInt8]) -> Int? {
        var index = range.lowerBound
        while index + 2 < range.upperBound {
            if bytes[index] == 0x3A, bytes[index + 1] == 0x2F, bytes[index + 2] == 0x2F { return index + 3 }
            index += 1
        }
        return nil
    }
}
