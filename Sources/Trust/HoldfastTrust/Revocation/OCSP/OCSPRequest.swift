import Crypto

/// A request about one certificate (RFC 6960, 4.1.1), unsigned.
struct OCSPRequest: Hashable, Sendable {
    let certificateID: OCSPCertificateID
    /// Fresh random bytes that the answer has to hold (RFC 9654), if the answer must be to this very request.
    let nonce: [UInt8]?

    /// The bytes to send.
    var der: [UInt8] {
        let request = DERWriter.sequence(certificateID.der)
        guard let nonce else { return DERWriter.sequence(DERWriter.sequence(DERWriter.sequence(request))) }
        let item = DERWriter.sequence(
            DERWriter.objectIdentifier(ObjectIdentifier.ocspNonce),
            DERWriter.octetString(DERWriter.octetString(nonce)))
        let extensions = DERWriter.element(DERTag.context(2, constructed: true), DERWriter.sequence(item))
        return DERWriter.sequence(DERWriter.sequence(DERWriter.sequence(request), extensions))
    }
}

/// Carries an OCSP request to a responder and brings the answer back.
///
/// A transport that conforms sends an HTTP POST with `Content-Type: application/ocsp-request` (RFC 6960, A.1) and
/// returns the body of a response with status 200. The address is plain `http:`, which is what certificates name; the
/// answer is signed, so nothing is lost by that. It must not follow redirects to other hosts, must stop reading at
/// ``OCSPResponse/maximumSize`` bytes, must not itself be subject to the check that it serves, and must end when its task
/// is cancelled: the evaluator's time-out cancels it.
public protocol OCSPRequester: Sendable {
    /// Sends the request and returns the body of the answer. Any error counts as no answer. Called from any thread,
    /// several times at once for several certificates.
    func response(to request: [UInt8], at url: String) async throws -> [UInt8]
}

/// By what name a request and an answer call a certificate (RFC 6960, 4.1.1): hashes of its issuer's name and key, and
/// its serial number.
struct OCSPCertificateID: Hashable, Sendable {
    let hash: OCSPHash
    let issuerName: [UInt8]
    let issuerKey: [UInt8]
    let serial: [UInt8]
}

extension OCSPCertificateID {
    /// Names a certificate of a verified path by the issuer's name as the certificate itself has it (RFC 6960, 4.1.1), and
    /// by the key of the certificate above it.
    init(_ certificate: CertificateView, issuer: CertificateView, hash: OCSPHash) {
        self.init(certificate, issuerName: certificate.der[certificate.parsed.outline.issuer], issuer, hash)
    }

    /// Whether an answer's name is that of a certificate. The two certificates may encode the issuer's name differently,
    /// and a responder may have hashed either.
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

    /// Reads a `CertID`; `nil` for one by a hash that is not ours, which is then not about the certificate asked about.
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
            hash.identifier, DERWriter.octetString(issuerName), DERWriter.octetString(issuerKey),
            DERWriter.element(DERTag.integer, serial))
    }
}

/// The hash by which a request names the issuer of a certificate.
public enum OCSPHash: String, Hashable, Sendable, CaseIterable {
    /// What every responder understands (RFC 5019, 2.1.1). Nothing rests on its strength: the answer's signature is made
    /// over the serial number, and the issuer is known from the path.
    case sha1
    /// RFC 6960 allows it; responders that prepare their answers in advance may not know the certificate by it.
    case sha256

    /// An `AlgorithmIdentifier` with the NULL that responders expect.
    var identifier: [UInt8] {
        let name =
            switch self {
            case .sha1: ObjectIdentifier.sha1
            case .sha256: ObjectIdentifier.sha2 + [0x01]
            }
        return DERWriter.sequence(DERWriter.objectIdentifier(name), DERWriter.element(DERTag.null, []))
    }

    func digest(_ bytes: ArraySlice<UInt8>) -> [UInt8] {
        switch self {
        case .sha1: Array(Insecure.SHA1.hash(data: bytes))
        case .sha256: Array(SHA256.hash(data: bytes))
        }
    }

    /// The hash that an `AlgorithmIdentifier` names, with or without NULL; `nil` for any other.
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
