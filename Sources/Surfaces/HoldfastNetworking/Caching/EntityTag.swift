/// Entity tags (RFC 9110, 8.8.3).
enum EntityTag {
    /// The longest tag that is kept. Those of the field's servers have fewer than 100 bytes.
    static let longest = 1_024

    /// Whether a field holds one entity tag, and nothing that could not stand in `If-None-Match` as it is.
    static func isValid(_ text: String) -> Bool {
        let opaque = opaque(text).utf8
        guard text.utf8.count <= longest, opaque.count >= 2, opaque.first == 0x22, opaque.last == 0x22 else {
            return false
        }
        return opaque.dropFirst().dropLast().allSatisfy { $0 == 0x21 || (0x23...0x7E).contains($0) || $0 >= 0x80 }
    }

    /// Whether two tags are the same to the weak comparison (8.8.3.2), which is the one for `If-None-Match`.
    static func match(_ one: String, _ other: String) -> Bool {
        opaque(one) == opaque(other)
    }

    private static func opaque(_ text: String) -> Substring {
        text.hasPrefix("W/") ? text.dropFirst(2) : text[...]
    }
}
