/// By what name a request and an answer call a certificate (RFC 6960, 4.1.1): hashes of its issuer's name and key, and
/// its serial number.
struct OCSPCertificateID: Hashable, Sendable {
    let hash: OCSPHash
    let issuerName: [UInt8]
    let issuerKey: [UInt8]
    let serial: [UInt8]

    /// Names a certificate of a verified path by the issuer's name as the certificate itself has it (RFC 6960, 4.1.1), and
    /// by the key of the certificate above it.
    init(_ certificate: CertificateView, issuer: CertificateView, hash: OCSPHash) {
        self.init(certificate, issuerName: certificate.der[certificate.parsed.issuer], issuer, hash)
    }

    /// Whether an answer's name is that of a certificate. The two certificates may encode the issuer's name differently,
    /// and a responder may have hashed either.
    func isName(of certificate: CertificateView, issuer: CertificateView) -> Bool {
        self == OCSPCertificateID(certificate, issuer: issuer, hash: hash)
            || self
                == OCSPCertificateID(certificate, issuerName: issuer.der[issuer.parsed.subject], issuer, hash)
    }

    private init(
        _ certificate: CertificateView, issuerName name: ArraySlice<UInt8>, _ issuer: CertificateView, _ hash: OCSPHash
    ) {
        self.init(
            hash: hash, issuerName: hash.digest(name), issuerKey: hash.digest(issuer.der[issuer.parsed.keyBits]),
            serial: Array(certificate.der[certificate.parsed.serial]))
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

    private init(hash: OCSPHash, issuerName: [UInt8], issuerKey: [UInt8], serial: [UInt8]) {
        self.hash = hash
        self.issuerName = issuerName
        self.issuerKey = issuerKey
        self.serial = serial
    }

    var der: [UInt8] {
        DERWriter.sequence(
            hash.identifier, DERWriter.octetString(issuerName), DERWriter.octetString(issuerKey),
            DERWriter.element(DERTag.integer, serial))
    }
}
