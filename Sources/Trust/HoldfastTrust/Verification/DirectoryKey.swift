/// The keys of directory names in a ``PrefixSet``: one name lies in the subtree of another if its first relative names
/// are the other's (RFC 5280, 7.1), whatever the order of the attributes within each.
///
/// Two attributes are the same if they have the same type and are the same text (see ``AttributeText``), or the same bytes
/// where they are not text. Values are written in hexadecimal digits, so that nothing in them can end a part.
struct DirectoryKey {
    /// The key.
    private(set) var text = ""
    /// The key of the first relative names, up to the first one with an attribute that is not text: whether that one is
    /// another's cannot be told from bytes. All of ``text`` where every attribute is text.
    private(set) var decided = ""
    /// Whether every attribute is text, so that every comparison is decided.
    private(set) var isDecided = true

    /// Makes the key of a name.
    init(_ names: [[DistinguishedName.Attribute]]) {
        for attributes in names {
            let parts = attributes.map(DirectoryKey.part)
            text += (parts.count == 1 ? parts[0].text : parts.map(\.text).sorted().joined()) + "/"
            isDecided = isDecided && parts.allSatisfy(\.isDecided)
            if isDecided { decided = text }
        }
    }

    private static func part(_ attribute: DistinguishedName.Attribute) -> (text: String, isDecided: Bool) {
        var value: [UInt8] = []
        value.reserveCapacity(attribute.value.count)
        let isText = AttributeText.fold(attribute.value, tag: attribute.tag, into: &value)
        if !isText { value += attribute.value }
        var digits: [UInt8] = []
        digits.reserveCapacity(2 * (attribute.type.count + value.count) + 5)
        append(Array(attribute.type), to: &digits)
        digits.append(UInt8(ascii: "="))
        append([isText ? DERTag.utf8String : attribute.tag], to: &digits)
        digits.append(UInt8(ascii: ":"))
        append(value, to: &digits)
        digits.append(UInt8(ascii: ","))
        return (String(decoding: digits, as: UTF8.self), isText)
    }

    private static func append(_ bytes: [UInt8], to digits: inout [UInt8]) {
        var index = 0
        while index < bytes.count {
            digits.append(digit(bytes[index] >> 4))
            digits.append(digit(bytes[index] & 0x0F))
            index += 1
        }
    }

    private static func digit(_ value: UInt8) -> UInt8 {
        value < 10 ? 0x30 + value : 0x57 + value
    }
}
