/// The extensions of an answer, or of what it says about one certificate.
struct OCSPExtensions: Hashable, Sendable {
    /// The nonce, if there is one.
    private(set) var nonce: [UInt8]?
    /// The first critical extension that is not processed; only the nonce is.
    private(set) var unhandled: String?

    private static let maximumCount = 16

    /// Reads an `Extensions`.
    init(_ reader: DERReader) throws(DERFault) {
        var reader = reader
        var list = reader.inside(try reader.read(DERTag.sequence))
        try reader.finish()
        var count = 0
        while !list.isAtEnd {
            count += 1
            guard count <= OCSPExtensions.maximumCount else {
                throw DERFault(reason: .tooManyElements, offset: list.position)
            }
            var item = list.inside(try list.read(DERTag.sequence))
            let identifier = list.bytes[try item.read(DERTag.objectIdentifier).content]
            let isCritical = item.nextTag == DERTag.boolean ? try item.readBoolean() : false
            let value = try item.read(DERTag.octetString)
            try item.finish()
            if identifier.elementsEqual(ObjectIdentifier.ocspNonce) {
                var inner = item.inside(value)
                nonce = Array(list.bytes[try inner.read(DERTag.octetString).content])
                try inner.finish()
            } else if isCritical, unhandled == nil {
                unhandled = ObjectIdentifier.text(of: identifier)
            }
        }
    }
}
