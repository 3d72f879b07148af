extension ExtraExtension {
    /// The addresses of OCSP responders (RFC 5280, 4.2.2.1).
    public static func ocspResponders(_ urls: String...) -> ExtraExtension {
        let descriptions = urls.map { url in
            DERBytes.sequence([
                DERBytes.objectIdentifier("1.3.6.1.5.5.7.48.1"),
                DERBytes.context(6, constructed: false, Array(url.utf8)),
            ])
        }
        return ExtraExtension("1.3.6.1.5.5.7.1.1", value: DERBytes.sequence(descriptions))
    }

    /// The wish for a stapled answer (RFC 7633).
    public static let mustStaple = ExtraExtension(
        "1.3.6.1.5.5.7.1.24", value: DERBytes.sequence([DERBytes.unsignedInteger([5])]))
}
