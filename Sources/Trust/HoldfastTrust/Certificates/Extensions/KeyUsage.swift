/// RFC 5280, 4.2.1.3: the bits that a TLS client looks at.
struct KeyUsage: Hashable, Sendable {
    var digitalSignature: Bool
    var keyCertSign: Bool
    var crlSign: Bool

    init(_ reader: DERReader) throws(DERFault) {
        var reader = reader
        let bits = try reader.readBitString().bytes
        try reader.finish()
        let first = bits.first.map { reader.bytes[$0] } ?? 0
        digitalSignature = first & 0x80 != 0
        keyCertSign = first & 0x04 != 0
        crlSign = first & 0x02 != 0
    }
}
