/// Key identifiers are hints for path building, so a malformed one counts as absent.
enum KeyIdentifier {
    /// RFC 5280, 4.2.1.2.
    static func subject(_ reader: DERReader) -> Range<Int>? {
        var reader = reader
        return try? reader.read(DERTag.octetString).content
    }

    /// RFC 5280, 4.2.1.1: the `keyIdentifier` field alone.
    static func authority(_ reader: DERReader) -> Range<Int>? {
        var reader = reader
        guard let sequence = try? reader.read(DERTag.sequence) else { return nil }
        var inner = reader.inside(sequence)
        return try? inner.readIfPresent(DERTag.context(0, constructed: false))?.content
    }
}
