/// A parsed basic OCSP answer (RFC 6960, 4.2.1) that is not verified yet. See `OCSPVerification`.
public struct OCSPResponse: Hashable, Sendable {
    /// The maximum size of an answer in bytes. Answers in practice, including a delegate's certificate, have less than
    /// 4 KiB.
    ///
    /// - Error: `OCSPError.Code.tooLarge`
    public static let maximumSize = 64 << 10

    /// The signer that the answer names.
    enum Responder: Hashable, Sendable {
        /// The bytes of a `Name`.
        case name([UInt8])
        /// The SHA-1 hash of a public key.
        case key([UInt8])
    }

    let der: [UInt8]
    /// The signed part.
    let signed: Range<Int>
    let responder: Responder
    let producedAt: Timestamp
    let responses: [OCSPSingleResponse]
    let nonce: [UInt8]?
    let unhandledExtension: String?
    let signatureAlgorithm: SignatureAlgorithm
    let signature: Range<Int>
    /// The certificates in the answer. Certificates that cannot be read are left out, because they cannot verify a
    /// signature.
    let certificates: [CertificateView]

    /// The maximum number of certificates and single responses to read.
    ///
    /// - Error: `OCSPError.Code.malformed`
    private static let maximumCertificates = 8
    /// The maximum number of single responses to read.
    ///
    /// - Error: `OCSPError.Code.malformed`
    private static let maximumResponses = 100

    /// Reads an answer. Throws ``OCSPError`` `tooLarge`, `malformed` or `notSuccessful`.
    public init(der: [UInt8]) throws(OCSPError) {
        guard der.count <= OCSPResponse.maximumSize else {
            throw OCSPError(.tooLarge, "the answer has \(der.count) bytes; the limit is \(Self.maximumSize)")
        }
        let status: Int
        do throws(DERFault) {
            var response = try DERReader(der).onlyElement()
            status = try response.readSmallInteger(DERTag.enumerated)
            if status == 0 {
                let wrapper = response.inside(try response.read(DERTag.context(0, constructed: true)))
                try response.finish()
                try self.init(basic: wrapper)
                return
            }
        } catch {
            throw .malformed(error)
        }
        // The names of the unsuccessful status values (RFC 6960, 4.2.1). Such an answer is not signed.
        let names = [1: "malformedRequest", 2: "internalError", 3: "tryLater", 5: "sigRequired", 6: "unauthorized"]
        throw OCSPError(.notSuccessful, "the responder reports \(names[status] ?? "status \(status)")")
    }

    private init(basic wrapper: DERReader) throws(DERFault) {
        let der = wrapper.bytes
        var bytes = try wrapper.onlyElement()
        let typeOffset = bytes.position
        let type = try bytes.read(DERTag.objectIdentifier).content
        guard der[type].elementsEqual(ObjectIdentifier.ocspBasicResponse) else {
            throw DERFault(reason: .unexpectedTag, offset: typeOffset)
        }
        let content = bytes.inside(try bytes.read(DERTag.octetString))
        try bytes.finish()
        var basic = try content.onlyElement()

        let data = try basic.read(DERTag.sequence)
        signatureAlgorithm = SignatureAlgorithm(identifier: try basic.read(DERTag.sequence).whole, in: der)
        let bits = try basic.readBitString()
        guard bits.unusedBits == 0 else { throw DERFault(reason: .invalidBitString, offset: bits.bytes.lowerBound) }
        signature = bits.bytes
        certificates = try OCSPResponse.certificates(basic.contentIfPresent(DERTag.context(0, constructed: true)))
        try basic.finish()

        self.der = der
        signed = data.whole
        var fields = basic.inside(data)
        if let version = try fields.readIfPresent(DERTag.context(0, constructed: true)) {
            // Version 1 is the only version. It is the default value, but some responders encode it.
            var inner = fields.inside(version)
            guard try inner.readSmallInteger() == 0 else {
                throw DERFault(reason: .invalidInteger, offset: version.whole.lowerBound)
            }
            try inner.finish()
        }
        responder = try OCSPResponse.responder(&fields)
        producedAt = try OCSPSingleResponse.time(&fields)
        var list = fields.inside(try fields.read(DERTag.sequence))
        var responses: [OCSPSingleResponse] = []
        while !list.isAtEnd {
            guard responses.count < OCSPResponse.maximumResponses else { throw list.fault(.tooManyElements) }
            responses.append(try OCSPSingleResponse(&list))
        }
        self.responses = responses
        let extensions = try OCSPExtensions(fields.contentIfPresent(DERTag.context(1, constructed: true)))
        nonce = extensions.nonce
        unhandledExtension = extensions.unhandled
        try fields.finish()
    }

    private static func responder(_ reader: inout DERReader) throws(DERFault) -> Responder {
        let element = try reader.read()
        var inner = reader.inside(element)
        switch element.tag {
        case DERTag.context(1, constructed: true):
            let name = try inner.read(DERTag.sequence).whole
            try inner.finish()
            return .name(Array(reader.bytes[name]))
        case DERTag.context(2, constructed: true):
            let hash = try inner.read(DERTag.octetString).content
            try inner.finish()
            return .key(Array(reader.bytes[hash]))
        default: throw DERFault(reason: .unexpectedTag, offset: element.whole.lowerBound)
        }
    }

    private static func certificates(_ reader: DERReader?) throws(DERFault) -> [CertificateView] {
        guard var list = try reader?.onlyElement() else { return [] }
        var found: [CertificateView] = []
        var count = 0
        while !list.isAtEnd {
            count += 1
            guard count <= maximumCertificates else { throw list.fault(.tooManyElements) }
            let element = try list.read(DERTag.sequence)
            if let certificate = try? CertificateView(der: Array(list.bytes[element.whole])) {
                found.append(certificate)
            }
        }
        return found
    }
}

/// The status of one certificate in an answer and its validity (RFC 6960, 4.2.1).
struct OCSPSingleResponse: Hashable, Sendable {
    /// `nil` if the certificate is identified with an unsupported hash algorithm.
    let certificateID: OCSPCertificateID?
    let status: OCSPStatus
    let thisUpdate: Timestamp
    let nextUpdate: Timestamp?
    /// A critical extension. No critical extension is processed.
    let unhandledExtension: String?

    init(_ reader: inout DERReader) throws(DERFault) {
        var fields = reader.inside(try reader.read(DERTag.sequence))
        certificateID = try OCSPCertificateID.read(&fields)
        status = try OCSPStatus(&fields)
        thisUpdate = try OCSPSingleResponse.time(&fields)
        if var inner = try fields.contentIfPresent(DERTag.context(0, constructed: true)) {
            nextUpdate = try OCSPSingleResponse.time(&inner)
            try inner.finish()
        } else {
            nextUpdate = nil
        }
        unhandledExtension = try OCSPExtensions(
            fields.contentIfPresent(DERTag.context(1, constructed: true))
        ).unhandled
        try fields.finish()
    }

    /// Reads a time. All times of an answer are GeneralizedTime.
    static func time(_ reader: inout DERReader) throws(DERFault) -> Timestamp {
        let offset = reader.position
        let time = try reader.readTime()
        guard time.isGeneralized else { throw DERFault(reason: .unexpectedTag, offset: offset) }
        return time.time
    }
}

/// The status that a responder reports for a certificate.
enum OCSPStatus: Hashable, Sendable {
    /// The responder does not know of a revocation.
    case good
    /// The certificate was revoked at this instant.
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
            if var inner = try fields.contentIfPresent(DERTag.context(0, constructed: true)) {
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

/// The extensions of an answer or of a single response.
struct OCSPExtensions: Hashable, Sendable {
    /// The nonce, if present.
    private(set) var nonce: [UInt8]?
    /// The first critical extension that is not processed. Only the nonce is processed.
    private(set) var unhandled: String?

    /// The maximum number of extensions.
    ///
    /// - Error: `OCSPError.Code.malformed`
    private static let maximumCount = 16

    /// Reads an `Extensions`. Without a reader, there are no extensions.
    init(_ reader: DERReader?) throws(DERFault) {
        guard var list = try reader?.onlyElement() else { return }
        var count = 0
        while !list.isAtEnd {
            count += 1
            guard count <= OCSPExtensions.maximumCount else { throw list.fault(.tooManyElements) }
            let (identifier, isCritical, value) = try list.readExtension()
            if identifier.elementsEqual(ObjectIdentifier.ocspNonce) {
                let content = try DERReader(list.bytes, in: value).onlyElement(DERTag.octetString)
                nonce = Array(list.bytes[content.position..<content.end])
            } else if isCritical, unhandled == nil {
                unhandled = ObjectIdentifier.text(of: identifier)
            }
        }
    }
}
