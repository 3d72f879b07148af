import Crypto

/// The SHA-256 digest of a distinguished name. It is the same for all names that are equal according to RFC 5280, 7.1.
///
/// String types, case, runs of spaces (see ``AttributeText``) and the order of attributes in a relative name do not
/// matter. A peer chooses the length of a name; lookups and comparisons of digests take constant time. Creating a
/// digest takes time linear in the size of the name. A name that is malformed or exceeds the size limit is equal only
/// to its own bytes.
struct NameDigest: Hashable, Sendable {
    private let first: UInt64
    private let second: UInt64
    private let third: UInt64
    private let fourth: UInt64

    /// The maximum size in bytes of a name that is folded. Real names have a few hundred bytes (RFC 5280, A.1 limits
    /// most attributes to 64 characters). The names of a presented chain are folded before its bytes are counted.
    static let foldedBytes = 4_096

    /// Computes the digest of the `Name` in the given range.
    init(_ name: Range<Int>, in der: [UInt8]) {
        let folded = name.count <= NameDigest.foldedBytes ? try? NameDigest.folded(name, in: der) : nil
        self.init(hashing: folded ?? [0] + der[name])
    }

    private init(hashing bytes: [UInt8]) {
        (first, second, third, fourth) = SHA256.hash(data: bytes).withUnsafeBytes { bytes in
            (
                bytes.loadUnaligned(as: UInt64.self), bytes.loadUnaligned(fromByteOffset: 8, as: UInt64.self),
                bytes.loadUnaligned(fromByteOffset: 16, as: UInt64.self),
                bytes.loadUnaligned(fromByteOffset: 24, as: UInt64.self)
            )
        }
    }

    /// The first quarter of the digest is sufficient for hashing.
    func hash(into hasher: inout Hasher) { hasher.combine(first) }

    // MARK: - The canonical form

    /// Returns an unambiguous encoding of the folded name. Each attribute is preceded by a 1 and its lengths; a 0 ends
    /// each relative name.
    private static func folded(_ name: Range<Int>, in der: [UInt8]) throws(DERFault) -> [UInt8] {
        var names = try DERReader(der, in: name).onlyElement()
        var result: [UInt8] = [1]
        result.reserveCapacity(2 * name.count)
        while !names.isAtEnd {
            var set = names.inside(try names.read(DERTag.set))
            let start = result.count
            try appendAttribute(&set, to: &result)
            if !set.isAtEnd {
                var attributes = [Array(result[start...])]
                result.removeSubrange(start...)
                while !set.isAtEnd {
                    var attribute: [UInt8] = []
                    try appendAttribute(&set, to: &attribute)
                    attributes.append(attribute)
                }
                attributes.sort { $0.lexicographicallyPrecedes($1) }
                for attribute in attributes { result += attribute }
            }
            result.append(0)
        }
        return result
    }

    private static func appendAttribute(_ set: inout DERReader, to result: inout [UInt8]) throws(DERFault) {
        var pair = set.inside(try set.read(DERTag.sequence))
        let type = try pair.read(DERTag.objectIdentifier).content
        let value = try pair.read()
        try pair.finish()
        result.append(1)
        result += [UInt8(truncatingIfNeeded: type.count >> 8), UInt8(truncatingIfNeeded: type.count)]
        result += set.bytes[type]
        let place = result.count
        result += [0, 0, 0, DERTag.utf8String]
        let start = result.count
        if !AttributeText.fold(set.bytes[value.content], tag: value.tag, into: &result) {
            result[start - 1] = value.tag
            result += set.bytes[value.content]
        }
        let length = result.count - start
        for (index, shift) in [16, 8, 0].enumerated() {
            result[place + index] = UInt8(truncatingIfNeeded: length >> shift)
        }
    }
}
