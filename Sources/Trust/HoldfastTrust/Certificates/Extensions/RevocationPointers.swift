/// What a certificate says about where and how its revocation can be asked about. Read when somebody asks, and not when
/// the certificate is parsed: a malformed pointer is no reason to refuse a path.
struct RevocationPointers: Hashable, Sendable {
    /// The addresses of OCSP responders (RFC 5280, 4.2.2.1) that can be asked: `http:` in printable ASCII, in the order
    /// given. `https:` is left out: to verify such a responder's own certificate would need a responder.
    var responders: [String] = []
    /// Whether the certificate asks for a stapled answer ("must-staple", RFC 7633).
    var asksForStaple = false

    /// Addresses that are kept, and the bytes that each may have.
    private static let maximumCount = 3
    private static let maximumLength = 2_048
    /// `status_request` (RFC 6066, 8).
    private static let statusRequest = 5

    init(_ certificate: CertificateView) {
        let der = certificate.der
        guard let range = (try? CertificateOutline(der))?.extensions else { return }
        var reader = DERReader(der, in: range)
        while !reader.isAtEnd, let element = try? reader.read(DERTag.sequence) {
            var item = reader.inside(element)
            guard let identifier = try? item.read(DERTag.objectIdentifier) else { continue }
            if item.nextTag == DERTag.boolean { _ = try? item.read() }
            guard let value = try? item.read(DERTag.octetString) else { continue }
            let name = der[identifier.content]
            if name.elementsEqual(ObjectIdentifier.authorityInformationAccess) {
                responders = (try? RevocationPointers.responders(item.inside(value))) ?? []
            } else if name.elementsEqual(ObjectIdentifier.tlsFeature) {
                asksForStaple =
                    (try? RevocationPointers.features(item.inside(value)))?.contains(RevocationPointers.statusRequest)
                    == true
            }
        }
    }

    private static func responders(_ reader: DERReader) throws(DERFault) -> [String] {
        var reader = reader
        var list = reader.inside(try reader.read(DERTag.sequence))
        var found: [String] = []
        while !list.isAtEnd {
            var description = list.inside(try list.read(DERTag.sequence))
            let method = reader.bytes[try description.read(DERTag.objectIdentifier).content]
            let place = try GeneralName(&description)
            guard method.elementsEqual(ObjectIdentifier.ocsp), case .uri(let range) = place else { continue }
            let text = reader.bytes[range]
            guard text.count <= maximumLength, text.allSatisfy({ (0x21...0x7E).contains($0) }),
                found.count < maximumCount
            else { continue }
            let url = String(decoding: text, as: UTF8.self)
            if url.lowercased().hasPrefix("http://") { found.append(url) }
        }
        return found
    }

    private static func features(_ reader: DERReader) throws(DERFault) -> [Int] {
        var reader = reader
        var list = reader.inside(try reader.read(DERTag.sequence))
        var found: [Int] = []
        while !list.isAtEnd { found.append(try list.readSmallInteger()) }
        return found
    }
}
