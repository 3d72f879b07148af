/// What a responder says about one certificate.
enum OCSPStatus: Hashable, Sendable {
    /// Not revoked, as far as the responder knows.
    case good
    /// Revoked at this instant.
    case revoked(Timestamp)
    /// The responder does not know the certificate.
    case unknown

    /// Reads a `CertStatus` (RFC 6960, 4.2.1).
    init(_ reader: inout DERReader) throws(DERFault) {
        let element = try reader.read()
        let fault = DERFault(reason: .unexpectedTag, offset: element.whole.lowerBound)
        switch element.tag {
        case DERTag.context(0, constructed: false):
            guard element.content.isEmpty else { throw fault }
            self = .good
        case DERTag.context(1, constructed: true):
            var fields = reader.inside(element)
            let time = try fields.readTime()
            guard time.isGeneralized else { throw fault }
            if let wrapper = try fields.readIfPresent(DERTag.context(0, constructed: true)) {
                var inner = fields.inside(wrapper)
                _ = try inner.readSmallInteger(DERTag.enumerated)
                try inner.finish()
            }
            try fields.finish()
            self = .revoked(time.time)
        case DERTag.context(2, constructed: false):
            guard element.content.isEmpty else { throw fault }
            self = .unknown
        default: throw fault
        }
    }
}
