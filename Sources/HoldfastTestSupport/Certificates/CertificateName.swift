/// Distinguished names with a common name and an organisation.
package enum CertificateName {
    /// The DER bytes of a Name. An empty common name is left out.
    package static func der(_ commonName: String, _ organization: String? = nil) -> [UInt8] {
        DERBytes.sequence([
            organization.map { attribute("2.5.4.10", $0) } ?? [],
            commonName.isEmpty ? [] : attribute("2.5.4.3", commonName),
        ])
    }

    private static func attribute(_ type: String, _ value: String) -> [UInt8] {
        DERBytes.set([DERBytes.sequence([DERBytes.objectIdentifier(type), DERBytes.utf8String(value)])])
    }
}
