/// The information in a certificate about how to check its revocation.
///
/// Read on demand, not when the certificate is parsed, because a malformed pointer must not cause a path to be refused.
struct RevocationPointers: Hashable, Sendable {
    /// The URLs of OCSP responders (RFC 5280, 4.2.2.1) that can be used: `http:` in printable ASCII, in order.
    ///
    /// `https:` is omitted, because verifying the responder's own certificate would require an OCSP responder.
    var responders: [String] = []
    /// The distribution points of revocation lists (RFC 5280, 4.2.1.13). Empty if the extension is malformed.
    var points: [DistributionPoint] = []
    /// Whether the certificate requires a stapled response ("must-staple", RFC 7633).
    var asksForStaple = false

    /// The maximum number of URLs of each kind. Further ones are ignored.
    private static let maximumCount = 3
    /// The maximum length of such a URL in bytes. A longer one is ignored.
    private static let maximumLength = 2_048
    /// The `status_request` feature (RFC 6066, 8).
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
            } else if name.elementsEqual(ObjectIdentifier.distributionPoints) {
                points = (try? DistributionPoint.list(item.inside(value))) ?? []
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
            if found.count < maximumCount, let url = address(reader.bytes[range]) { found.append(url) }
        }
        return found
    }

    /// The URLs of revocation lists that can be used, in order and under the same rules as ``responders``.
    var listAddresses: [String] {
        var found: [String] = []
        for url in points.flatMap(\.urls).compactMap({ RevocationPointers.address($0[...]) })
        where found.count < RevocationPointers.maximumCount && !found.contains(url) {
            found.append(url)
        }
        return found
    }

    private static func address(_ text: ArraySlice<UInt8>) -> String? {
        guard text.count <= maximumLength, text.allSatisfy({ (0x21...0x7E).contains($0) }) else { return nil }
        let url = String(decoding: text, as: UTF8.self)
        return url.lowercased().hasPrefix("http://") ? url : nil
    }

    private static func features(_ reader: DERReader) throws(DERFault) -> [Int] {
        var reader = reader
        var list = reader.inside(try reader.read(DERTag.sequence))
        var found: [Int] = []
        while !list.isAtEnd { found.append(try list.readSmallInteger()) }
        return found
    }
}
