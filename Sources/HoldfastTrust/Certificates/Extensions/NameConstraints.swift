/// RFC 5280, 4.2.1.10.
struct NameConstraints: Hashable, Sendable {
    var permitted: [NameConstraint] = []
    var excluded: [NameConstraint] = []
    /// How many comparisons it counts for to compare a short name with all subtrees.
    let weight: Int

    /// More subtrees than this are refused. OpenSSL's test of many constraints has 2,048.
    private static let maximumCount = 8_192

    init(_ reader: DERReader) throws(DERFault) {
        var reader = reader
        var inner = reader.inside(try reader.read(DERTag.sequence))
        try reader.finish()
        let offset = inner.position
        if let list = try inner.readIfPresent(DERTag.context(0, constructed: true)) {
            permitted = try NameConstraints.subtrees(inner.inside(list))
        }
        if let list = try inner.readIfPresent(DERTag.context(1, constructed: true)) {
            excluded = try NameConstraints.subtrees(inner.inside(list))
        }
        try inner.finish()
        guard !permitted.isEmpty || !excluded.isEmpty else { throw DERFault(reason: .truncated, offset: offset) }
        weight = (permitted + excluded).reduce(0) { $0 + $1.weight }
    }

    private static func subtrees(_ reader: DERReader) throws(DERFault) -> [NameConstraint] {
        var reader = reader
        var result: [NameConstraint] = []
        guard !reader.isAtEnd else { throw DERFault(reason: .truncated, offset: reader.position) }
        while !reader.isAtEnd {
            guard result.count < maximumCount else {
                throw DERFault(reason: .tooManyElements, offset: reader.position)
            }
            var subtree = reader.inside(try reader.read(DERTag.sequence))
            let name = try GeneralName(&subtree)
            // The minimum must be zero, which is the default and hence not encoded; the maximum must be absent.
            try subtree.finish()
            result.append(try NameConstraint(name, in: reader.bytes))
        }
        return result
    }
}
