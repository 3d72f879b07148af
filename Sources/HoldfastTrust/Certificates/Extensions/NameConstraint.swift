/// One permitted or excluded subtree. Text is kept in lower case.
enum NameConstraint: Hashable, Sendable {
    /// The name and everything below it; with `subdomainsOnly` (a leading dot, which RFC 5280 does not know for DNS
    /// names but the field uses) only what is below. The empty name covers all.
    case dns([UInt8], subdomainsOnly: Bool)
    case ipAddress(address: [UInt8], mask: [UInt8])
    /// A whole mailbox, a host, or with a leading dot the hosts below a domain.
    case email([UInt8])
    /// A host, or with a leading dot the hosts below a domain.
    case uri([UInt8])
    /// The bytes of a whole `Name`.
    case directory([UInt8])
    case other(tag: UInt8)

    init(_ name: GeneralName, in der: [UInt8]) throws(DERFault) {
        switch name {
        case .dns(let range):
            let isBelowOnly = range.first.map { der[$0] == UInt8(ascii: ".") } ?? false
            let text = (isBelowOnly ? range.dropFirst() : range).map { DNSName.lower(der[$0]) }
            guard text.isEmpty ? !isBelowOnly : DNSName.isPlausible(text) else {
                throw DERFault(reason: .unexpectedTag, offset: range.lowerBound)
            }
            self = .dns(text, subdomainsOnly: isBelowOnly)
        case .ipAddress(let range):
            guard range.count == 8 || range.count == 32 else {
                throw DERFault(reason: .unexpectedTag, offset: range.lowerBound)
            }
            let bytes = Array(der[range])
            let mask = Array(bytes.suffix(bytes.count / 2))
            guard NameConstraint.isContiguous(mask) else {
                throw DERFault(reason: .unexpectedTag, offset: range.lowerBound)
            }
            self = .ipAddress(address: Array(bytes.prefix(bytes.count / 2)), mask: mask)
        case .email(let range): self = .email(der[range].map(DNSName.lower))
        case .uri(let range): self = .uri(der[range].map(DNSName.lower))
        case .directory(let range):
            guard DistinguishedName.relativeNames(range, in: der) != nil else {
                throw DERFault(reason: .unexpectedTag, offset: range.lowerBound)
            }
            self = .directory(Array(der[range]))
        case .other(let tag): self = .other(tag: tag)
        }
    }

    /// How many comparisons one comparison with this subtree counts for.
    var weight: Int {
        guard case .directory(let bytes) = self else { return 1 }
        return 1 + DistinguishedName.weight(of: bytes.count)
    }

    /// Whether a mask is ones followed by zeros, as RFC 4632 prefixes are.
    private static func isContiguous(_ mask: [UInt8]) -> Bool {
        var isZero = false
        for byte in mask {
            let ones = (~byte).leadingZeroBitCount
            guard byte == (ones == 0 ? 0 : UInt8.max << UInt8(8 - ones)), !(isZero && byte != 0) else { return false }
            if ones < 8 { isZero = true }
        }
        return true
    }
}
