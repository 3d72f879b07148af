extension PublicKeyInfo {
    /// Reads the key out of a certification request (PKCS #10, RFC 2986). The request's signature is not checked: a pin
    /// is made from a request by whoever made the request.
    ///
    /// Throws ``CertificateError`` with `notAPublicKey` for anything else.
    public init(certificationRequest der: [UInt8]) throws(CertificateError) {
        let spki: Range<Int>
        do throws(DERFault) {
            var outer = DERReader(der)
            var request = outer.inside(try outer.read(DERTag.sequence))
            try outer.finish()
            var info = request.inside(try request.read(DERTag.sequence))
            guard try info.readSmallInteger() == 0 else { throw DERFault(reason: .invalidInteger, offset: 0) }
            _ = try info.read(DERTag.sequence)
            spki = try info.read(DERTag.sequence).whole
            _ = try info.readIfPresent(DERTag.context(0, constructed: true))
            try info.finish()
            _ = try request.read(DERTag.sequence)
            _ = try request.readBitString()
            try request.finish()
        } catch {
            throw CertificateError(
                .notAPublicKey,
                "The bytes are no certification request: at byte \(error.offset), \(error.reason.rawValue).",
                offset: error.offset)
        }
        try self.init(der: Array(der[spki]))
    }

    /// Wraps an RSA key as PKCS #1 has it (`RSA PUBLIC KEY` in PEM; RFC 8017, A.1.1).
    ///
    /// Throws ``CertificateError`` with `notAPublicKey` for anything else.
    public init(rsaPublicKey der: [UInt8]) throws(CertificateError) {
        do throws(DERFault) {
            var outer = DERReader(der)
            var key = outer.inside(try outer.read(DERTag.sequence))
            try outer.finish()
            _ = try key.readInteger()
            _ = try key.readInteger()
            try key.finish()
        } catch {
            throw CertificateError(
                .notAPublicKey, "The bytes are no RSA key: at byte \(error.offset), \(error.reason.rawValue).",
                offset: error.offset)
        }
        try self.init(
            der: DERWriter.sequence(
                DERWriter.sequence(
                    DERWriter.objectIdentifier(ObjectIdentifier.rsaEncryption), DERWriter.element(DERTag.null, [])),
                DERWriter.element(DERTag.bitString, [0] + der)))
    }
}
