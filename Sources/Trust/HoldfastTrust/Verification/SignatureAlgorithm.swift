/// The algorithm of a certificate's signature.
enum SignatureAlgorithm: Hashable, Sendable {
    /// The hash functions that are secure for signatures.
    enum Hash: UInt8, Hashable, Sendable {
        case sha256, sha384, sha512

        /// Returns the hash function for the last arc of an object identifier, where `first` stands for SHA-256.
        init?(_ arc: UInt8?, first: UInt8) {
            guard let arc, arc >= first else { return nil }
            self.init(rawValue: arc - first)
        }
    }

    case rsaPKCS1(Hash)
    /// PSS with MGF1 over the same hash and a salt of the hash's length, which is the only form that CAs may use.
    case rsaPSS(Hash)
    case ecdsa(Hash)
    case ed25519
    /// A weak algorithm: MD2, MD4, MD5 or SHA-1.
    case weak(String)
    case unsupported(String)

    /// Reads an `AlgorithmIdentifier`. Never fails: an unknown algorithm becomes `unsupported`.
    init(identifier: Range<Int>, in der: [UInt8]) {
        self = (try? SignatureAlgorithm.read(identifier, der)) ?? .unsupported("malformed")
    }

    private static func read(_ range: Range<Int>, _ der: [UInt8]) throws(DERFault) -> SignatureAlgorithm {
        var outer = DERReader(der, in: range)
        var inner = outer.inside(try outer.read(DERTag.sequence))
        let identifier = der[try inner.read(DERTag.objectIdentifier).content]
        if identifier.dropLast().elementsEqual(ObjectIdentifier.ecdsaWithSHA2) {
            guard inner.isAtEnd else { return .unsupported("ECDSA with parameters") }
            return Hash(identifier.last, first: 2).map { .ecdsa($0) }
                ?? .unsupported(ObjectIdentifier.text(of: identifier))
        }
        if identifier.elementsEqual(ObjectIdentifier.ecdsaWithSHA1) { return .weak("ECDSA with SHA-1") }
        if identifier.elementsEqual(ObjectIdentifier.ed25519) {
            return inner.isAtEnd ? .ed25519 : .unsupported("Ed25519 with parameters")
        }
        guard identifier.dropLast().elementsEqual(ObjectIdentifier.pkcs1) else {
            return .unsupported(ObjectIdentifier.text(of: identifier))
        }
        switch identifier.last {
        case 2, 3, 4: return .weak("RSA with MD2, MD4 or MD5")
        case 5: return .weak("RSA with SHA-1")
        case 10: return try pss(&inner)
        case 11, 12, 13:
            _ = try inner.readIfPresent(DERTag.null)
            try inner.finish()
            return .rsaPKCS1(identifier.last == 11 ? .sha256 : identifier.last == 12 ? .sha384 : .sha512)
        default: return .unsupported(ObjectIdentifier.text(of: identifier))
        }
    }

    /// Reads the parameters of RSA-PSS (RFC 4055, 3.1). Their default is SHA-1, so all three must be present.
    private static func pss(_ reader: inout DERReader) throws(DERFault) -> SignatureAlgorithm {
        var parameters = reader.inside(try reader.read(DERTag.sequence))
        guard var hashReader = try parameters.contentIfPresent(DERTag.context(0, constructed: true)),
            var maskReader = try parameters.contentIfPresent(DERTag.context(1, constructed: true)),
            var saltReader = try parameters.contentIfPresent(DERTag.context(2, constructed: true)), parameters.isAtEnd
        else { return .weak("RSA-PSS with SHA-1") }
        guard let hash = try sha2(&hashReader) else { return .unsupported("RSA-PSS with an unsupported hash") }
        var mask = maskReader.inside(try maskReader.read(DERTag.sequence))
        let generator = reader.bytes[try mask.read(DERTag.objectIdentifier).content]
        guard generator.elementsEqual(ObjectIdentifier.mgf1), try sha2(&mask) == hash else {
            return .unsupported("RSA-PSS with an unsupported mask generation")
        }
        let expected = [Hash.sha256: 32, .sha384: 48, .sha512: 64][hash]
        guard try saltReader.readSmallInteger() == expected else {
            return .unsupported("RSA-PSS with an unsupported salt length")
        }
        return .rsaPSS(hash)
    }

    private static func sha2(_ reader: inout DERReader) throws(DERFault) -> Hash? {
        var inner = reader.inside(try reader.read(DERTag.sequence))
        let identifier = reader.bytes[try inner.read(DERTag.objectIdentifier).content]
        guard identifier.dropLast().elementsEqual(ObjectIdentifier.sha2) else { return nil }
        return Hash(identifier.last, first: 1)
    }

    /// The reason why a signature with this algorithm is refused, or `nil` if it is accepted.
    var weakness: String? {
        switch self {
        case .weak(let name): "the signature algorithm \(name) is no longer secure"
        case .unsupported(let name): "the signature algorithm \(name) is not supported"
        default: nil
        }
    }
}

/// Verifies that one certificate was signed with the key of another.
enum SignatureCheck {
    /// Returns whether `child`'s signature is valid for `issuer`'s key. Returns `false` for a weak or unsupported
    /// algorithm, an algorithm that does not match the key, and a malformed key.
    static func isValid(_ child: ParsedCertificate, signedBy issuer: ParsedCertificate) -> Bool {
        isValid(
            message: child.der[child.outline.tbs], signature: child.der[child.outline.signature],
            child.signatureAlgorithm, key: issuer)
    }

    /// Returns whether a signature over `message` is valid for the key of a certificate.
    static func isValid(
        message: ArraySlice<UInt8>, signature: ArraySlice<UInt8>, _ algorithm: SignatureAlgorithm,
        key issuer: ParsedCertificate
    ) -> Bool {
        issuer.verificationKey?.isValid(signature, algorithm, message: message) ?? false
    }
}
