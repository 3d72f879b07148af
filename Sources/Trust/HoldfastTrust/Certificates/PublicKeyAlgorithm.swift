/// The algorithm of a public key, as named in its SubjectPublicKeyInfo.
enum PublicKeyAlgorithm: Hashable, Sendable, CustomStringConvertible {
    /// RSA, with the size of the modulus in bits.
    case rsa(bits: Int)
    case p256, p384, p521
    case ed25519
    /// Any other algorithm. The key can be hashed and matched, but does not verify signatures.
    case unknown(String)

    /// Reads the algorithm of a SubjectPublicKeyInfo. Never fails: unsupported algorithms are `unknown`.
    init(spki: Range<Int>, in der: [UInt8]) {
        self = (try? PublicKeyAlgorithm.read(spki, der)) ?? .unknown("malformed")
    }

    private static func read(_ spki: Range<Int>, _ der: [UInt8]) throws(DERFault) -> PublicKeyAlgorithm {
        var outer = DERReader(der, in: spki)
        var info = outer.inside(try outer.read(DERTag.sequence))
        var algorithm = info.inside(try info.read(DERTag.sequence))
        let key = try info.readBitString()
        let identifier = der[try algorithm.read(DERTag.objectIdentifier).content]
        if identifier.elementsEqual(ObjectIdentifier.ecPublicKey) {
            guard algorithm.nextTag == DERTag.objectIdentifier else { return .unknown("EC with explicit parameters") }
            let curve = der[try algorithm.read(DERTag.objectIdentifier).content]
            try algorithm.finish()
            if curve.elementsEqual(ObjectIdentifier.p256) { return .p256 }
            if curve.elementsEqual(ObjectIdentifier.p384) { return .p384 }
            if curve.elementsEqual(ObjectIdentifier.p521) { return .p521 }
            return .unknown("EC curve " + ObjectIdentifier.text(of: curve))
        }
        if identifier.elementsEqual(ObjectIdentifier.ed25519) {
            return algorithm.isAtEnd && key.bytes.count == 32 ? .ed25519 : .unknown("malformed Ed25519")
        }
        if identifier.elementsEqual(ObjectIdentifier.rsaEncryption) {
            _ = try algorithm.readIfPresent(DERTag.null)
            try algorithm.finish()
            var pair = DERReader(der, in: key.bytes)
            var inner = pair.inside(try pair.read(DERTag.sequence))
            let modulus = try inner.readInteger()
            guard der[modulus.lowerBound] & 0x80 == 0 else { return .unknown("malformed RSA") }
            let significant = modulus.drop { der[$0] == 0 }
            guard let first = significant.first else { return .unknown("malformed RSA") }
            return .rsa(bits: significant.count * 8 - der[first].leadingZeroBitCount)
        }
        return .unknown(ObjectIdentifier.text(of: identifier))
    }

    /// The reason why the key must not appear on a verified path, or `nil`.
    ///
    /// The lower RSA limit is that of the CA/Browser Forum (Baseline Requirements, 6.1.5) and of ATS. The upper limit
    /// bounds the cost of a verification and is BoringSSL's limit in TLS.
    var weakness: String? {
        switch self {
        case .rsa(let bits) where bits < 2_048:
            "the RSA key has \(bits) bits; the minimum is 2048"
        case .rsa(let bits) where bits > 8_192:
            "the RSA key has \(bits) bits; the maximum is 8192"
        case .rsa, .p256, .p384, .p521, .ed25519: nil
        case .unknown(let name): "a key of type \(name) is not supported"
        }
    }

    /// How many signature checks one check with this key counts for. P-384 and P-521 are several times slower.
    var signatureChecks: Int {
        switch self {
        case .rsa, .p256, .ed25519, .unknown: 1
        case .p384: 2
        case .p521: 4
        }
    }

    var description: String {
        switch self {
        case .rsa(let bits): "RSA \(bits)"
        case .p256: "EC P-256"
        case .p384: "EC P-384"
        case .p521: "EC P-521"
        case .ed25519: "Ed25519"
        case .unknown(let name): name
        }
    }
}
