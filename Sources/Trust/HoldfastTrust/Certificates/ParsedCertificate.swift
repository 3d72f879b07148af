import Synchronization

/// What was read from a certificate: the places of its parts, and the extensions that verification needs.
///
/// A class, so that the many places that hold a certificate share one; immutable, hence safe to share.
final class ParsedCertificate: Sendable {
    let der: [UInt8]
    let outline: CertificateOutline
    let extensions: CertificateExtensions
    let keyAlgorithm: PublicKeyAlgorithm
    let signatureAlgorithm: SignatureAlgorithm
    let spkiDigest: SPKIDigest
    // All are asked for at every step of a search, and take the longer the more bytes a peer sends: so once.
    let certificateDigest: CertificateDigest
    let subjectName: NameDigest
    let issuerName: NameDigest
    let isSelfIssued: Bool

    /// What is made at the first use and then kept.
    private struct Made {
        var rawKeyDigest: RawKeyDigest?
        var verificationKey: VerificationKey??
    }

    private let made = Mutex(Made())

    /// The SHA-256 of the key alone. Few policies ask for it, but those ask at every path of a search.
    var rawKeyDigest: RawKeyDigest {
        made.withLock { made in
            let digest = made.rawKeyDigest ?? RawKeyDigest(hashing: der[outline.keyBits])
            made.rawKeyDigest = digest
            return digest
        }
    }

    /// The key, ready to verify signatures; `nil` if it cannot.
    var verificationKey: VerificationKey? {
        made.withLock { made in
            if let known = made.verificationKey { return known }
            let key = VerificationKey(keyAlgorithm, bits: der[outline.keyBits], spki: der[outline.spki])
            made.verificationKey = .some(key)
            return key
        }
    }

    /// The largest certificate that is read. Real ones stay below 20 KiB; the byte budget of a chain is another limit.
    static let maximumSize = 1 << 18

    init(der: [UInt8]) throws(CertificateError) {
        guard let first = der.first else { throw CertificateError(.empty, "There are no bytes.") }
        guard der.count <= ParsedCertificate.maximumSize else {
            throw CertificateError(
                .tooLarge, "\(der.count) bytes are more than a certificate may have (\(ParsedCertificate.maximumSize))."
            )
        }
        if first == UInt8(ascii: "-"), der.starts(with: Array("-----BEGIN".utf8)) {
            throw CertificateError(.pemGiven, CertificateError.pemRemedy, offset: 0)
        }
        var outline: CertificateOutline
        do throws(DERFault) {
            outline = try CertificateOutline(der)
        } catch {
            let looksLikeDER = first == DERTag.sequence
            throw CertificateError(
                looksLikeDER ? .notACertificate : .malformedDER,
                "The bytes are no X.509 certificate: at byte \(error.offset), \(error.reason.rawValue).",
                offset: error.offset)
        }
        extensions = CertificateExtensions(der, outline.extensions, defects: &outline.defects)
        self.outline = outline
        self.der = der
        keyAlgorithm = PublicKeyAlgorithm(spki: outline.spki, in: der)
        signatureAlgorithm = SignatureAlgorithm(identifier: outline.signatureAlgorithm, in: der)
        spkiDigest = SPKIDigest(hashing: der[outline.spki])
        certificateDigest = CertificateDigest(hashing: der[...])
        let subjectName = NameDigest(outline.subject, in: der)
        self.subjectName = subjectName
        // A root's two names mostly have the same bytes.
        let hasOneName = der[outline.issuer] == der[outline.subject]
        issuerName = hasOneName ? subjectName : NameDigest(outline.issuer, in: der)
        isSelfIssued = subjectName == issuerName
    }
}

/// A limit on what is read of one certificate. A peer chooses how much it sends, and a verifier how much it looks at.
struct CertificateLimit: Hashable, Sendable {
    /// What is limited, in the plural.
    var what: String
    /// The largest number that is read.
    var count: Int

    /// Words for a person, without a full stop.
    var reason: String { "it has more than \(count) \(what)" }
}
