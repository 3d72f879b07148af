/// RFC 5280, 4.2.1.12.
struct ExtendedKeyUsage: Hashable, Sendable {
    /// Whether the purposes include TLS servers, by name or as "any".
    var allowsServerAuthentication: Bool
    /// Whether the purposes name the signing of OCSP answers. "Any" is not enough for that (RFC 6960, 4.2.2.2).
    var allowsOCSPSigning: Bool

    static let maximumCount = 100

    init(_ reader: DERReader) throws(DERFault) {
        var reader = reader
        var inner = reader.inside(try reader.read(DERTag.sequence))
        try reader.finish()
        guard !inner.isAtEnd else { throw DERFault(reason: .truncated, offset: inner.position) }
        allowsServerAuthentication = false
        allowsOCSPSigning = false
        var count = 0
        while !inner.isAtEnd {
            count += 1
            guard count <= ExtendedKeyUsage.maximumCount else {
                throw DERFault(reason: .tooManyElements, offset: inner.position)
            }
            let purpose = inner.bytes[try inner.read(DERTag.objectIdentifier).content]
            if purpose.elementsEqual(ObjectIdentifier.serverAuth)
                || purpose.elementsEqual(ObjectIdentifier.anyExtendedKeyUsage)
            {
                allowsServerAuthentication = true
            }
            if purpose.elementsEqual(ObjectIdentifier.ocspSigning) { allowsOCSPSigning = true }
        }
    }
}
