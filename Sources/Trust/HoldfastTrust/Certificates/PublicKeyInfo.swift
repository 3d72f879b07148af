/// A public key as it lies in a SubjectPublicKeyInfo (RFC 5280, 4.1.2.7): what a pin is the hash of.
public struct PublicKeyInfo: Hashable, Sendable {
    /// The bytes of the SubjectPublicKeyInfo.
    public let der: [UInt8]
    private let keyBits: Range<Int>

    /// Reads a SubjectPublicKeyInfo: what `PUBLIC KEY` stands for in PEM. Keys of unknown types are read like all others.
    ///
    /// Throws ``CertificateError`` with `notAPublicKey` for anything else.
    public init(der: [UInt8]) throws(CertificateError) {
        guard der.count <= PEMReader.blockSizeLimit else {
            throw CertificateError(.tooLarge, "\(der.count) bytes are more than a public key may have.")
        }
        do throws(DERFault) {
            var info = try DERReader(der).onlyElement()
            var algorithm = info.inside(try info.read(DERTag.sequence))
            _ = try algorithm.read(DERTag.objectIdentifier)
            let bits = try info.readBitString()
            guard bits.unusedBits == 0, !bits.bytes.isEmpty else {
                throw DERFault(reason: .invalidBitString, offset: bits.bytes.lowerBound)
            }
            try info.finish()
            self.der = der
            self.keyBits = bits.bytes
        } catch {
            throw CertificateError(
                .notAPublicKey, "The bytes are no public key: at byte \(error.offset), \(error.reason.rawValue).",
                offset: error.offset)
        }
    }

    /// The key of a certificate.
    public init(_ certificate: CertificateView) {
        let start = certificate.parsed.outline.spki.lowerBound
        let bits = certificate.parsed.outline.keyBits
        self.der = Array(certificate.subjectPublicKeyInfo)
        self.keyBits = (bits.lowerBound - start)..<(bits.upperBound - start)
    }

    /// The SHA-256 of ``der``: what a pin for this key holds.
    public var digest: SPKIDigest { SPKIDigest(hashing: der) }

    /// The key alone: PKCS#1 for RSA, the X9.63 point for elliptic curves, 32 bytes for Ed25519.
    public var rawKey: ArraySlice<UInt8> { der[keyBits] }

    /// The SHA-256 of ``rawKey``.
    public var rawKeyDigest: RawKeyDigest { RawKeyDigest(hashing: rawKey) }

    /// The kind and size of the key, as in `RSA 2048`, `EC P-256`; the algorithm's object identifier where unknown.
    public var keyDescription: String { PublicKeyAlgorithm(spki: der.indices, in: der).description }
}

extension PublicKeyInfo {
    /// Reads the key out of a certification request (PKCS #10, RFC 2986). The request's signature is not checked: a pin
    /// is made from a request by whoever made the request.
    ///
    /// Throws ``CertificateError`` with `notAPublicKey` for anything else.
    public init(certificationRequest der: [UInt8]) throws(CertificateError) {
        let spki: Range<Int>
        do throws(DERFault) {
            var request = try DERReader(der).onlyElement()
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
            var key = try DERReader(der).onlyElement()
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
