/// A public key as a SubjectPublicKeyInfo (RFC 5280, 4.1.2.7), the input of the hash in a pin.
public struct PublicKeyInfo: Hashable, Sendable {
    /// The bytes of the SubjectPublicKeyInfo.
    public let der: [UInt8]
    private let keyBits: Range<Int>

    /// Reads a SubjectPublicKeyInfo, the contents of a PEM block `PUBLIC KEY`. Keys of unknown types are accepted.
    ///
    /// - Throws: ``CertificateError`` with the code `notAPublicKey` for any other input.
    public init(der: [UInt8]) throws(CertificateError) {
        guard der.count <= PEMReader.blockSizeLimit else {
            throw CertificateError(.tooLarge, "The public key has \(der.count) bytes, which exceeds the limit.")
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
            throw CertificateError(.notAPublicKey, error, expected: "a public key")
        }
    }

    /// Creates a public key from a certificate.
    public init(_ certificate: CertificateView) {
        let start = certificate.parsed.outline.spki.lowerBound
        let bits = certificate.parsed.outline.keyBits
        self.der = Array(certificate.subjectPublicKeyInfo)
        self.keyBits = (bits.lowerBound - start)..<(bits.upperBound - start)
    }

    /// The SHA-256 hash of ``der``, as used in a pin for this key.
    public var digest: SPKIDigest { SPKIDigest(hashing: der) }

    /// The bare key: PKCS#1 for RSA, the X9.63 point for elliptic curves, 32 bytes for Ed25519.
    public var rawKey: ArraySlice<UInt8> { der[keyBits] }

    /// The SHA-256 hash of ``rawKey``.
    public var rawKeyDigest: RawKeyDigest { RawKeyDigest(hashing: rawKey) }

    /// The kind and size of the key, such as `RSA 2048` or `EC P-256`; the algorithm's object identifier if it is
    /// unknown.
    public var keyDescription: String { PublicKeyAlgorithm(spki: der.indices, in: der).description }

    /// Reads the key in a certificate signing request (PKCS #10, RFC 2986). The signature of the request is not
    /// checked, because a pin is created by the owner of the request.
    ///
    /// - Throws: ``CertificateError`` with the code `notAPublicKey` for any other input.
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
            throw CertificateError(.notAPublicKey, error, expected: "a certificate signing request")
        }
        try self.init(der: Array(der[spki]))
    }

    /// Creates a public key from a PKCS #1 RSA key (`RSA PUBLIC KEY` in PEM; RFC 8017, A.1.1).
    ///
    /// - Throws: ``CertificateError`` with the code `notAPublicKey` for any other input.
    public init(rsaPublicKey der: [UInt8]) throws(CertificateError) {
        do throws(DERFault) {
            var key = try DERReader(der).onlyElement()
            _ = try key.readInteger()
            _ = try key.readInteger()
            try key.finish()
        } catch {
            throw CertificateError(.notAPublicKey, error, expected: "an RSA public key")
        }
        try self.init(
            der: DERWriter.sequence(
                DERWriter.sequence(
                    DERWriter.element(DERTag.objectIdentifier, ObjectIdentifier.rsaEncryption),
                    DERWriter.element(DERTag.null, [])),
                DERWriter.element(DERTag.bitString, [0] + der)))
    }
}
