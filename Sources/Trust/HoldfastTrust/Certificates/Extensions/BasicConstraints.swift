/// RFC 5280, 4.2.1.9.
struct BasicConstraints: Hashable, Sendable {
    var isAuthority: Bool
    /// The number of certificate authorities that may follow below, self-issued ones not counted.
    var pathLength: Int?

    init(_ reader: DERReader) throws(DERFault) {
        var reader = reader
        var inner = reader.inside(try reader.read(DERTag.sequence))
        try reader.finish()
        // Public authorities encode the default FALSE, too, which is not DER but has one meaning only.
        isAuthority = inner.nextTag == DERTag.boolean ? try inner.readBoolean() : false
        if !inner.isAtEnd { pathLength = try inner.readSmallInteger() }
        try inner.finish()
    }
}
