/// Distinguished names with a common name and an organisation.
package enum CertificateName {
    /// The DER bytes of a Name. An empty common name is left out.
    package static func der(_ commonName: String, _ organization: String? = nil) -> [UInt8] {
        DERBytes.sequence([
            organization.map { attribute("2.5.4.10", $0) } ?? [],
            commonName.isEmpty ? [] : attribute("2.5.4.3", commonName),
        ])
    }

    /// The DER bytes of a Name of one attribute in each relative name: its type, the tag of its string type, its bytes.
    package static func der(_ attributes: [(type: String, tag: UInt8, value: [UInt8])]) -> [UInt8] {
        DERBytes.sequence(attributes.map { DERBytes.set([attribute($0.type, DERBytes.element($0.tag, $0.value))]) })
    }

    /// The DER bytes of one attribute with this element for its value.
    package static func attribute(_ type: String, _ value: [UInt8]) -> [UInt8] {
        DERBytes.sequence([DERBytes.objectIdentifier(type), value])
    }

    private static func attribute(_ type: String, _ value: String) -> [UInt8] {
        DERBytes.set([DERBytes.sequence([DERBytes.objectIdentifier(type), DERBytes.utf8String(value)])])
    }
}
