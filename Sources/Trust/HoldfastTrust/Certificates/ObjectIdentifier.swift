import HoldfastBase

/// Object identifiers as the content bytes of their DER encoding.
enum ObjectIdentifier {
    /// The extensions that verification processes (RFC 5280, 4.2.1; all below 2.5.29).
    enum Known: UInt8 {
        case subjectKeyIdentifier = 14
        case keyUsage = 15
        case subjectAlternativeName = 17
        case basicConstraints = 19
        case nameConstraints = 30
        case certificatePolicies = 32
        case policyMappings = 33
        case authorityKeyIdentifier = 35
        case policyConstraints = 36
        case extendedKeyUsage = 37
        case inhibitAnyPolicy = 54

        init?(_ identifier: ArraySlice<UInt8>) {
            guard identifier.count == 3, identifier.starts(with: [0x55, 0x1D]), let last = identifier.last else {
                return nil
            }
            self.init(rawValue: last)
        }
    }

    static let serverAuth: [UInt8] = [0x2B, 0x06, 0x01, 0x05, 0x05, 0x07, 0x03, 0x01]
    static let ocspSigning: [UInt8] = [0x2B, 0x06, 0x01, 0x05, 0x05, 0x07, 0x03, 0x09]
    static let anyExtendedKeyUsage: [UInt8] = [0x55, 0x1D, 0x25, 0x00]
    static let anyPolicy: [UInt8] = [0x55, 0x1D, 0x20, 0x00]
    /// `id-qt-cps` and `id-qt-unotice` (RFC 5280, 4.2.1.4).
    static let policyQualifiers: [[UInt8]] = [
        [0x2B, 0x06, 0x01, 0x05, 0x05, 0x07, 0x02, 0x01], [0x2B, 0x06, 0x01, 0x05, 0x05, 0x07, 0x02, 0x02],
    ]
    /// `1.3.6.1.4.1.311.21.10` and `1.3.6.1.4.1.311.10.12.1`: Microsoft's application policies, and the one that stands
    /// for all of them.
    static let applicationPolicies: [UInt8] = [0x2B, 0x06, 0x01, 0x04, 0x01, 0x82, 0x37, 0x15, 0x0A]
    static let anyApplicationPolicy: [UInt8] = [0x2B, 0x06, 0x01, 0x04, 0x01, 0x82, 0x37, 0x0A, 0x0C, 0x01]

    /// `id-pe-authorityInfoAccess` and `id-pe-tlsfeature`, both below `1.3.6.1.5.5.7.1`.
    static let authorityInformationAccess: [UInt8] = [0x2B, 0x06, 0x01, 0x05, 0x05, 0x07, 0x01, 0x01]
    /// `id-ce-cRLDistributionPoints`.
    static let distributionPoints: [UInt8] = [0x55, 0x1D, 0x1F]
    static let tlsFeature: [UInt8] = [0x2B, 0x06, 0x01, 0x05, 0x05, 0x07, 0x01, 0x18]
    /// `id-ad-ocsp` (RFC 5280, 4.2.2.1), the prefix of the OCSP identifiers (RFC 6960).
    static let ocsp: [UInt8] = [0x2B, 0x06, 0x01, 0x05, 0x05, 0x07, 0x30, 0x01]
    static let ocspBasicResponse: [UInt8] = ocsp + [0x01]
    static let ocspNonce: [UInt8] = ocsp + [0x02]
    /// The extension with embedded timestamps, and the poison of precertificates (RFC 6962, 3.3 and 3.1).
    static let signedCertificateTimestamps: [UInt8] = [
        0x2B, 0x06, 0x01, 0x04, 0x01, 0xD6, 0x79, 0x02, 0x04, 0x02,
    ]
    static let precertificatePoison: [UInt8] = [0x2B, 0x06, 0x01, 0x04, 0x01, 0xD6, 0x79, 0x02, 0x04, 0x03]
    static let sha1: [UInt8] = [0x2B, 0x0E, 0x03, 0x02, 0x1A]

    static let rsaEncryption: [UInt8] = [0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 0x01, 0x01, 0x01]
    static let ecPublicKey: [UInt8] = [0x2A, 0x86, 0x48, 0xCE, 0x3D, 0x02, 0x01]
    static let ed25519: [UInt8] = [0x2B, 0x65, 0x70]
    static let p256: [UInt8] = [0x2A, 0x86, 0x48, 0xCE, 0x3D, 0x03, 0x01, 0x07]
    static let p384: [UInt8] = [0x2B, 0x81, 0x04, 0x00, 0x22]
    static let p521: [UInt8] = [0x2B, 0x81, 0x04, 0x00, 0x23]

    /// `1.2.840.113549.1.1`, the prefix of the RSA signature algorithms.
    static let pkcs1: [UInt8] = [0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 0x01, 0x01]
    /// `1.2.840.10045.4.3`, the prefix of the ECDSA algorithms with SHA-2.
    static let ecdsaWithSHA2: [UInt8] = [0x2A, 0x86, 0x48, 0xCE, 0x3D, 0x04, 0x03]
    static let ecdsaWithSHA1: [UInt8] = [0x2A, 0x86, 0x48, 0xCE, 0x3D, 0x04, 0x01]
    static let mgf1: [UInt8] = pkcs1 + [0x08]
    /// `2.16.840.1.101.3.4.2`, the prefix of the SHA-2 algorithms.
    static let sha2: [UInt8] = [0x60, 0x86, 0x48, 0x01, 0x65, 0x03, 0x04, 0x02]

    static let emailAddress: [UInt8] = [0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 0x01, 0x09, 0x01]

    /// Returns the content bytes of a dotted form, or `nil` if it is not an object identifier.
    ///
    /// Each number is below 2 to the power of 56, and there are at most 32, so that ``text(of:)`` returns the same
    /// text.
    static func content(ofDotted text: String) -> [UInt8]? {
        let parts = text.utf8.split(separator: UInt8(ascii: "."), maxSplits: 32, omittingEmptySubsequences: false)
        guard (2...32).contains(parts.count) else { return nil }
        var arcs: [UInt64] = []
        for part in parts {
            guard (1...17).contains(part.count), part.allSatisfy({ (0x30...0x39).contains($0) }),
                part.count == 1 || part.first != 0x30
            else { return nil }
            // 17 digits are less than 2 to the power of 57.
            let arc = part.reduce(0 as UInt64) { $0 * 10 + UInt64($1 - 0x30) }
            guard arc < 1 << 56 else { return nil }
            arcs.append(arc)
        }
        guard arcs[0] <= 2, arcs[0] == 2 || arcs[1] < 40, arcs[1] < (1 << 56) - 80 else { return nil }
        var content: [UInt8] = []
        for arc in [arcs[0] * 40 + arcs[1]] + arcs.dropFirst(2) {
            var groups = [UInt8(arc & 0x7F)]
            var rest = arc >> 7
            while rest > 0 {
                groups.append(UInt8(rest & 0x7F) | 0x80)
                rest >>= 7
            }
            content += groups.reversed()
        }
        return content
    }

    /// Returns the dotted form, or the bytes in hexadecimal if they are malformed.
    static func text(of content: some Collection<UInt8>) -> String {
        var arcs: [UInt64] = []
        var arc: UInt64 = 0
        var isOpen = false
        for byte in content {
            guard arc < 1 << 56 else { return content.hexadecimal }
            arc = arc << 7 | UInt64(byte & 0x7F)
            isOpen = byte & 0x80 != 0
            guard !isOpen else { continue }
            if arcs.isEmpty {
                let first = min(arc / 40, 2)
                arcs = [first, arc - first * 40]
            } else {
                arcs.append(arc)
            }
            arc = 0
        }
        guard !isOpen, !arcs.isEmpty, arcs.count <= 32 else { return content.hexadecimal }
        return arcs.map(String.init).joined(separator: ".")
    }
}
