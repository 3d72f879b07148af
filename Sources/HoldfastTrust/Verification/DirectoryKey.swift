/// The keys of directory names in a ``PrefixSet``: one name lies in the subtree of another if its first relative names
/// are the other's (RFC 5280, 7.1), whatever the order of the attributes within each.
///
/// Two attributes are the same if they have the same type and the same bytes, or are text that is the same but for case
/// and runs of spaces (without full string preparation). Values are written in hexadecimal digits, so that nothing in
/// them can end a part.
enum DirectoryKey {
    static func key(of names: [[DistinguishedName.Attribute]]) -> String {
        var key = ""
        for attributes in names {
            key += attributes.count == 1 ? part(attributes[0]) : attributes.map(part).sorted().joined()
            key += "/"
        }
        return key
    }

    private static func part(_ attribute: DistinguishedName.Attribute) -> String {
        let isText =
            attribute.tag == DERTag.utf8String || attribute.tag == DERTag.printableString
            || attribute.tag == DERTag.ia5String
        var digits: [UInt8] = []
        digits.reserveCapacity(2 * (attribute.type.count + attribute.value.count) + 4)
        append(Array(attribute.type), to: &digits)
        digits.append(UInt8(ascii: "="))
        append([isText ? DERTag.utf8String : attribute.tag], to: &digits)
        digits.append(UInt8(ascii: ":"))
        append(isText ? folded(attribute.value) : Array(attribute.value), to: &digits)
        digits.append(UInt8(ascii: ","))
        return String(decoding: digits, as: UTF8.self)
    }

    private static func folded(_ value: ArraySlice<UInt8>) -> [UInt8] {
        var text = FoldedText(value)
        var bytes: [UInt8] = []
        bytes.reserveCapacity(value.count)
        while let scalar = text.next() {
            if scalar < 0x80 {
                bytes.append(UInt8(scalar))
            } else {
                // The scalar's number behind a byte that no ASCII text has: told apart from all others, which is enough.
                bytes.append(0xFF)
                for shift: UInt32 in [16, 8, 0] { bytes.append(UInt8(truncatingIfNeeded: scalar >> shift)) }
            }
        }
        return bytes
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
