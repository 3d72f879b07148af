/// The name constraints extension (RFC 5280, 4.2.1.10).
///
/// Only the form of the subtrees is checked here. They are prepared for comparisons (``SubtreeIndex``) only for the CAs
/// on a complete path.
struct NameConstraints: Hashable, Sendable {
    var permitted: [GeneralName] = []
    var excluded: [GeneralName] = []
    /// How many comparisons it counts for to compare a short name with all subtrees.
    private(set) var weight = 0

    /// The maximum number of subtrees. OpenSSL's test of many constraints has 2,048.
    ///
    /// - Error: `TrustFinding.Code.certificateLimitExceeded`
    static let maximumCount = 8_192

    init(_ reader: DERReader) throws(DERFault) {
        var inner = try reader.onlyElement()
        let offset = inner.position
        permitted = try subtrees(inner.contentIfPresent(DERTag.context(0, constructed: true)))
        excluded = try subtrees(inner.contentIfPresent(DERTag.context(1, constructed: true)))
        try inner.finish()
        guard !permitted.isEmpty || !excluded.isEmpty else { throw DERFault(reason: .truncated, offset: offset) }
    }

    private mutating func subtrees(_ reader: DERReader?) throws(DERFault) -> [GeneralName] {
        guard var reader else { return [] }
        var result: [GeneralName] = []
        guard !reader.isAtEnd else { throw reader.fault(.truncated) }
        while !reader.isAtEnd {
            guard result.count < NameConstraints.maximumCount else { throw reader.fault(.tooManyElements) }
            var subtree = reader.inside(try reader.read(DERTag.sequence))
            let name = try GeneralName(&subtree)
            // RFC 5280, 4.2.1.10: the minimum must be zero, encoded or not, and the maximum must be absent.
            if subtree.nextTag == DERTag.context(0, constructed: false) {
                let offset = subtree.position
                guard try subtree.readSmallInteger(DERTag.context(0, constructed: false)) == 0 else {
                    throw DERFault(reason: .invalidInteger, offset: offset)
                }
            }
            try subtree.finish()
            weight += try NameConstraints.weight(of: name, in: reader.bytes)
            result.append(name)
        }
        return result
    }

    /// Returns how many comparisons one comparison with this subtree counts for. Throws if the name is not valid in a
    /// subtree.
    private static func weight(of name: GeneralName, in der: [UInt8]) throws(DERFault) -> Int {
        switch name {
        case .dns(let range):
            // A leading dot is common in practice, although RFC 5280 does not define it for DNS names. The empty name
            // covers all names.
            let isBelowOnly = !range.isEmpty && der[range.lowerBound] == UInt8(ascii: ".")
            let text = isBelowOnly ? range.dropFirst() : range
            guard text.isEmpty ? !isBelowOnly : DNSName.isPlausible(der, in: text) else {
                throw DERFault(reason: .unexpectedTag, offset: range.lowerBound)
            }
        case .ipAddress(let range):
            guard AddressRange(der[range]) != nil else {
                throw DERFault(reason: .unexpectedTag, offset: range.lowerBound)
            }
        case .directory(let range):
            guard DistinguishedName.relativeNames(range, in: der) != nil else {
                throw DERFault(reason: .unexpectedTag, offset: range.lowerBound)
            }
            return 1 + DistinguishedName.weight(of: range.count)
        case .email, .uri, .other: break
        }
        return 1
    }
}
