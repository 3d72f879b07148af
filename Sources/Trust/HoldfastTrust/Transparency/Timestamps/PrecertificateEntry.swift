/// The log entry of a certificate with embedded timestamps (`PreCert` in RFC 6962, 3.2), made again from the
/// certificate itself.
///
/// A log signs the TBSCertificate before the timestamps are added. The entry therefore has the bytes of the final
/// TBSCertificate without the extension of the timestamps and without the poison extension. All other bytes and the
/// order of the extensions stay as they are; only the lengths around them are encoded again.
///
/// A precertificate may be signed by a special certificate of the authority instead of the authority's own (RFC 6962,
/// 3.1). The log replaces its issuer by the final one before it signs. The entry of the final certificate is therefore
/// the same, and the issuer's key is always that of the certificate above the server's on the path.
struct PrecertificateEntry: Hashable, Sendable {
    /// The TBSCertificate that the log has signed.
    let tbs: [UInt8]
    /// The SHA-256 hash of the issuer's SubjectPublicKeyInfo.
    let issuerKeyHash: [UInt8]

    /// The maximum size of a TBSCertificate in an entry: 2^24 - 1 bytes. Certificates have a smaller limit.
    ///
    /// - Error: `TrustFinding.Code.sctBadSignature`
    private static let maximumSize = 1 << 24 - 1

    /// Makes the entry of a certificate again.
    ///
    /// - Parameter issuer: The certificate above it on the verified path.
    /// - Throws: A fault if the certificate does not have the form of RFC 5280, 4.1, or has the extension twice.
    init(_ certificate: CertificateView, issuer: CertificateView) throws(DERFault) {
        issuerKeyHash = issuer.spkiDigest.bytes
        tbs = try PrecertificateEntry.tbs(of: certificate)
        guard tbs.count <= PrecertificateEntry.maximumSize else {
            throw DERFault(reason: .tooManyElements, offset: 0)
        }
    }

    private static func tbs(of certificate: CertificateView) throws(DERFault) -> [UInt8] {
        let der = certificate.der
        let extensionsTag = DERTag.context(3, constructed: true)
        var body = try DERReader(der, in: certificate.parsed.outline.tbs).onlyElement()
        var content: [UInt8] = []
        while !body.isAtEnd {
            let element = try body.read()
            guard element.tag == extensionsTag else {
                content += der[element.whole]
                continue
            }
            let kept = try extensions(body.inside(element).onlyElement())
            // An empty list must not be encoded (RFC 5280, 4.1).
            if !kept.isEmpty {
                content += DERWriter.element(extensionsTag, DERWriter.element(DERTag.sequence, kept))
            }
        }
        return DERWriter.element(DERTag.sequence, content)
    }

    /// Returns the bytes of all extensions except the timestamps and the poison.
    private static func extensions(_ reader: DERReader) throws(DERFault) -> [UInt8] {
        var reader = reader
        var kept: [UInt8] = []
        var hasTimestamps = false
        while !reader.isAtEnd {
            let start = reader.position
            let (identifier, _, _) = try reader.readExtension()
            if identifier.elementsEqual(ObjectIdentifier.signedCertificateTimestamps) {
                guard !hasTimestamps else { throw reader.fault(.tooManyElements) }
                hasTimestamps = true
            } else if !identifier.elementsEqual(ObjectIdentifier.precertificatePoison) {
                kept += reader.bytes[start..<reader.position]
            }
        }
        return kept
    }

    /// Returns the bytes that the log has signed for a timestamp (`digitally-signed` in RFC 6962, 3.2).
    func message(of timestamp: SignedCertificateTimestamp) -> [UInt8] {
        // Version 1, the signature type `certificate_timestamp`, the time, the entry type `precert_entry`.
        var message: [UInt8] = [0, 0]
        message += PrecertificateEntry.bigEndian(timestamp.milliseconds, 8)
        message += [0, 1]
        message += issuerKeyHash
        message += PrecertificateEntry.bigEndian(UInt64(tbs.count), 3)
        message += tbs
        message += PrecertificateEntry.bigEndian(UInt64(timestamp.extensions.count), 2)
        message += timestamp.extensions
        return message
    }

    private static func bigEndian(_ value: UInt64, _ count: Int) -> [UInt8] {
        (0..<count).map { UInt8(truncatingIfNeeded: value >> UInt64(8 * (count - 1 - $0))) }
    }
}
