import Synchronization

/// The contents of a certificate: the positions of its parts, and the extensions that verification needs.
///
/// A class, so that all users of a certificate share one instance. Immutable, and therefore safe to share.
final class ParsedCertificate: Sendable {
    let der: [UInt8]
    let outline: CertificateOutline
    let extensions: CertificateExtensions
    let keyAlgorithm: PublicKeyAlgorithm
    let signatureAlgorithm: SignatureAlgorithm
    let spkiDigest: SPKIDigest
    // Every step of a path search needs these values, and computing them takes time linear in the size. They are
    // therefore computed once.
    let certificateDigest: CertificateDigest
    let subjectName: NameDigest
    let issuerName: NameDigest
    let isSelfIssued: Bool

    /// Values that are computed on first use.
    private struct Made {
        var rawKeyDigest: RawKeyDigest?
        var verificationKey: VerificationKey??
    }

    private let made = Mutex(Made())

    /// The SHA-256 hash of the bare key. Few policies need it, but those need it for every path of a search.
    var rawKeyDigest: RawKeyDigest {
        made.withLock { made in
            let digest = made.rawKeyDigest ?? RawKeyDigest(hashing: der[outline.keyBits])
            made.rawKeyDigest = digest
            return digest
        }
    }

    /// The key for verifying signatures, or `nil` if the key is not usable.
    var verificationKey: VerificationKey? {
        made.withLock { made in
            if let known = made.verificationKey { return known }
            let key = VerificationKey(keyAlgorithm, bits: der[outline.keyBits], spki: der[outline.spki])
            made.verificationKey = .some(key)
            return key
        }
    }

    /// The maximum size of a certificate in bytes. Real certificates are smaller than 20 KiB. The byte budget of a
    /// chain is a separate limit.
    ///
    /// - Error: `CertificateError.Code.tooLarge`
    static let maximumSize = 1 << 18

    init(der: [UInt8]) throws(CertificateError) {
        guard let first = der.first else { throw CertificateError(.empty, "The input is empty.") }
        guard der.count <= ParsedCertificate.maximumSize else {
            throw CertificateError(
                .tooLarge, "The certificate has \(der.count) bytes; the limit is \(ParsedCertificate.maximumSize)."
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
                looksLikeDER ? .notACertificate : .malformedDER, error, expected: "an X.509 certificate")
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
        // In most root certificates, subject and issuer have the same bytes.
        let hasOneName = der[outline.issuer] == der[outline.subject]
        issuerName = hasOneName ? subjectName : NameDigest(outline.issuer, in: der)
        isSelfIssued = subjectName == issuerName
    }
}

/// A limit on how many parts of a certificate are read, because a peer chooses how many it sends.
struct CertificateLimit: Hashable, Sendable {
    /// The name of the limited parts, in the plural.
    var what: String
    /// The maximum number.
    var count: Int

    /// The reason as text, without a period.
    var reason: String { "it has more than \(count) \(what)" }
}
