import Crypto

/// An unsigned request about one certificate (RFC 6960, 4.1.1).
struct OCSPRequest: Hashable, Sendable {
    let certificateID: OCSPCertificateID
    /// Fresh random bytes that the answer must contain (RFC 9654), or `nil` if the answer does not have to match this
    /// request.
    let nonce: [UInt8]?

    /// The DER bytes to send.
    var der: [UInt8] {
        let request = DERWriter.sequence(certificateID.der)
        guard let nonce else { return DERWriter.sequence(DERWriter.sequence(DERWriter.sequence(request))) }
        let item = DERWriter.sequence(
            DERWriter.element(DERTag.objectIdentifier, ObjectIdentifier.ocspNonce),
            DERWriter.element(DERTag.octetString, DERWriter.element(DERTag.octetString, nonce)))
        let extensions = DERWriter.element(DERTag.context(2, constructed: true), DERWriter.sequence(item))
        return DERWriter.sequence(DERWriter.sequence(DERWriter.sequence(request), extensions))
    }
}

/// Identifies a certificate in a request and an answer (RFC 6960, 4.1.1) by hashes of its issuer's name and key and by
/// its serial number.
struct OCSPCertificateID: Hashable, Sendable {
    let hash: OCSPHash
    let issuerName: [UInt8]
    let issuerKey: [UInt8]
    let serial: [UInt8]
}

extension OCSPCertificateID {
    /// Creates the identifier of a certificate on a verified path. Uses the issuer's name as encoded in the certificate
    /// (RFC 6960, 4.1.1) and the key of the next certificate on the path.
    init(_ certificate: CertificateView, issuer: CertificateView, hash: OCSPHash) {
        self.init(certificate, issuerName: certificate.der[certificate.parsed.outline.issuer], issuer, hash)
    }

    /// Returns whether the identifier in an answer refers to a certificate. The two certificates may encode the
    /// issuer's name differently, and a responder may have hashed either encoding.
    func isName(of certificate: CertificateView, issuer: CertificateView) -> Bool {
        self == OCSPCertificateID(certificate, issuer: issuer, hash: hash)
            || self
                == OCSPCertificateID(certificate, issuerName: issuer.der[issuer.parsed.outline.subject], issuer, hash)
    }

    private init(
        _ certificate: CertificateView, issuerName name: ArraySlice<UInt8>, _ issuer: CertificateView, _ hash: OCSPHash
    ) {
        self.init(
            hash: hash, issuerName: hash.digest(name), issuerKey: hash.digest(issuer.rawKey),
            serial: Array(certificate.der[certificate.parsed.outline.serial]))
    }

    /// Reads a `CertID`. Returns `nil` for an unsupported hash algorithm, because the answer is then not about the
    /// requested certificate.
    static func read(_ reader: inout DERReader) throws(DERFault) -> OCSPCertificateID? {
        var fields = reader.inside(try reader.read(DERTag.sequence))
        let algorithm = fields.inside(try fields.read(DERTag.sequence))
        let name = try fields.read(DERTag.octetString).content
        let key = try fields.read(DERTag.octetString).content
        let serial = try fields.readInteger()
        try fields.finish()
        guard let hash = OCSPHash(identifier: algorithm) else { return nil }
        let bytes = reader.bytes
        return OCSPCertificateID(
            hash: hash, issuerName: Array(bytes[name]), issuerKey: Array(bytes[key]), serial: Array(bytes[serial]))
    }

    var der: [UInt8] {
        DERWriter.sequence(
            hash.identifier, DERWriter.element(DERTag.octetString, issuerName),
            DERWriter.element(DERTag.octetString, issuerKey), DERWriter.element(DERTag.integer, serial))
    }
}

/// The hash algorithm that identifies the issuer of a certificate in a request.
public enum OCSPHash: String, Hashable, Sendable, CaseIterable {
    /// SHA-1, which every responder supports (RFC 5019, 2.1.1).
    ///
    /// Security does not depend on this hash: the signature of the answer covers the serial number, and the issuer is
    /// known from the path.
    case sha1
    /// SHA-256. RFC 6960 allows it, but responders with answers produced in advance may not find the certificate.
    case sha256

    /// An `AlgorithmIdentifier` with the NULL that responders expect.
    var identifier: [UInt8] {
        let name =
            switch self {
            case .sha1: ObjectIdentifier.sha1
            case .sha256: ObjectIdentifier.sha2 + [0x01]
            }
        return DERWriter.sequence(
            DERWriter.element(DERTag.objectIdentifier, name), DERWriter.element(DERTag.null, []))
    }

    func digest(_ bytes: ArraySlice<UInt8>) -> [UInt8] {
        switch self {
        case .sha1: Array(Insecure.SHA1.hash(data: bytes))
        case .sha256: Array(SHA256.hash(data: bytes))
        }
    }

    /// Reads the hash algorithm from an `AlgorithmIdentifier` with or without NULL. Returns `nil` for any other
    /// algorithm.
    init?(identifier reader: DERReader) {
        var reader = reader
        guard let name = try? reader.read(DERTag.objectIdentifier).content else { return nil }
        if !reader.isAtEnd {
            guard let null = try? reader.read(DERTag.null), null.content.isEmpty, reader.isAtEnd else { return nil }
        }
        let content = reader.bytes[name]
        if content.elementsEqual(ObjectIdentifier.sha1) {
            self = .sha1
        } else if content.elementsEqual(ObjectIdentifier.sha2 + [0x01]) {
            self = .sha256
        } else {
            return nil
        }
    }
}

/// Sends OCSP requests to responders.
///
/// A conforming type sends an HTTP POST with `Content-Type: application/ocsp-request` (RFC 6960, A.1) and returns the
/// body of a response with status 200. Certificates name addresses with plain `http:`, which is safe because the answer
/// is signed. The implementation must:
///
/// - not follow redirects to other hosts,
/// - stop reading after ``OCSPResponse/maximumSize`` bytes,
/// - not apply the revocation check to its own connections,
/// - end when its task is cancelled, because the evaluator cancels it after the timeout.
public protocol OCSPRequester: Sendable {
    /// Sends the request and returns the body of the answer. Any error counts as a missing answer. Called from any
    /// thread, and concurrently for several certificates.
    func response(to request: [UInt8], at url: String) async throws -> [UInt8]
}
