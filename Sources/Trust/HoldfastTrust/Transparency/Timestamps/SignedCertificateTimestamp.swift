/// A signed certificate timestamp (SCT, RFC 6962, 3.2): the promise of a log that it has included a certificate.
///
/// The value is what the certificate contains. Its signature is not verified: see ``TransparencyRequirement``.
public struct SignedCertificateTimestamp: Hashable, Sendable {
    /// The log that issued the timestamp.
    public let logID: TransparencyLogID
    /// The time of issue in milliseconds since 1970-01-01T00:00:00Z, as signed.
    public let milliseconds: UInt64
    /// The extensions of the timestamp (RFC 6962, 3.2). They are signed, but RFC 6962 defines none.
    public let extensions: [UInt8]
    let algorithm: SCTAlgorithm
    let signature: [UInt8]

    /// The time of issue in whole seconds, rounded down.
    public var timestamp: Timestamp { Timestamp(secondsSince1970: Int64(milliseconds / 1_000)) }
}

/// The two bytes that name the hash and the signature algorithm of a timestamp (RFC 5246, 7.4.1.4.1).
///
/// RFC 6962, 2.1.4 allows SHA-256 with ECDSA over P-256 or with RSA. The curve follows from the log's key.
enum SCTAlgorithm: Hashable, Sendable {
    case ecdsa
    case rsa
    /// Any other pair. A timestamp with it never has a valid signature.
    case unsupported(hash: UInt8, signature: UInt8)

    init(hash: UInt8, signature: UInt8) {
        switch (hash, signature) {
        case (4, 3): self = .ecdsa
        case (4, 1): self = .rsa
        default: self = .unsupported(hash: hash, signature: signature)
        }
    }

    /// The algorithm for verification, or `nil` if RFC 6962 does not allow it.
    var verified: SignatureAlgorithm? {
        switch self {
        case .ecdsa: .ecdsa(.sha256)
        case .rsa: .rsaPKCS1(.sha256)
        case .unsupported: nil
        }
    }
}

/// The identifier of a log: the SHA-256 hash of its public key (RFC 6962, 3.2).
public struct TransparencyLogID: Hashable, Sendable, CustomStringConvertible {
    let sha256: SHA256Hash

    /// Creates the identifier of the log with a SubjectPublicKeyInfo in DER.
    public init(hashing key: some Sequence<UInt8>) { sha256 = SHA256Hash(hashing: key) }

    /// Creates an identifier from 32 bytes. Returns `nil` for any other count.
    public init?(bytes: some Sequence<UInt8>) {
        guard let sha256 = SHA256Hash(bytes: bytes) else { return nil }
        self.sha256 = sha256
    }

    /// Reads 32 bytes in base64. Returns `nil` for any other text.
    public init?(base64 text: String) {
        guard let sha256 = SHA256Hash(base64: text) else { return nil }
        self.sha256 = sha256
    }

    /// The 32 bytes.
    public var bytes: [UInt8] { sha256.bytes }

    /// The identifier in base64, as in log lists.
    public var description: String { sha256.base64 }
}
