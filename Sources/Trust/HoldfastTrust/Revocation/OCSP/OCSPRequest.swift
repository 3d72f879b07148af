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
