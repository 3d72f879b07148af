/// What an answer says about one certificate, and for how long (RFC 6960, 4.2.1).
struct OCSPSingleResponse: Hashable, Sendable {
    /// `nil` where the certificate is named by a hash that is not ours.
    let certificateID: OCSPCertificateID?
    let status: OCSPStatus
    let thisUpdate: Timestamp
    let nextUpdate: Timestamp?
    /// A critical extension, none of which is processed.
    let unhandledExtension: String?

    init(_ reader: inout DERReader) throws(DERFault) {
        var fields = reader.inside(try reader.read(DERTag.sequence))
        certificateID = try OCSPCertificateID.read(&fields)
        status = try OCSPStatus(&fields)
        thisUpdate = try OCSPSingleResponse.time(&fields)
        if let wrapper = try fields.readIfPresent(DERTag.context(0, constructed: true)) {
            var inner = fields.inside(wrapper)
            nextUpdate = try OCSPSingleResponse.time(&inner)
            try inner.finish()
        } else {
            nextUpdate = nil
        }
        if let wrapper = try fields.readIfPresent(DERTag.context(1, constructed: true)) {
            unhandledExtension = try OCSPExtensions(fields.inside(wrapper)).unhandled
        } else {
            unhandledExtension = nil
        }
        try fields.finish()
    }

    /// All times of an answer are GeneralizedTime.
    static func time(_ reader: inout DERReader) throws(DERFault) -> Timestamp {
        let offset = reader.position
        let time = try reader.readTime()
        guard time.isGeneralized else { throw DERFault(reason: .unexpectedTag, offset: offset) }
        return time.time
    }
}
