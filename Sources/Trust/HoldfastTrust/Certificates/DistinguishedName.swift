import HoldfastBase

/// Reads a `Name` (RFC 5280, 4.1.2.4) from its bytes on demand.
enum DistinguishedName {
    /// An attribute: its type, the tag of its value, and the position of the value.
    struct Attribute {
        var type: ArraySlice<UInt8>
        var tag: UInt8
        var value: ArraySlice<UInt8>
    }

    /// Returns the relative distinguished names in order, each as a list of attributes, or `nil` if the name is
    /// malformed.
    static func relativeNames(_ range: Range<Int>, in der: [UInt8]) -> [[Attribute]]? {
        do throws(DERFault) {
            var names = try DERReader(der, in: range).onlyElement()
            var result: [[Attribute]] = []
            while !names.isAtEnd {
                var set = names.inside(try names.read(DERTag.set))
                var attributes: [Attribute] = []
                while !set.isAtEnd {
                    var pair = set.inside(try set.read(DERTag.sequence))
                    let type = der[try pair.read(DERTag.objectIdentifier).content]
                    let value = try pair.read()
                    try pair.finish()
                    attributes.append(Attribute(type: type, tag: value.tag, value: der[value.content]))
                }
                guard !attributes.isEmpty else { return nil }
                result.append(attributes)
            }
            return result
        } catch {
            return nil
        }
    }

    /// Returns whether the name has no attributes.
    static func isEmpty(_ range: Range<Int>) -> Bool {
        range.count <= 2
    }

    /// Returns the name as text, most significant part last, such as `CN=example.com, O=Example`.
    static func text(of range: Range<Int>, in der: [UInt8]) -> String {
        guard let names = relativeNames(range, in: der) else { return "(malformed name)" }
        guard !names.isEmpty else { return "(empty name)" }
        return names.reversed().prefix(16).map { attributes in
            attributes.prefix(16).map { "\(label(of: $0.type))=\(string($0))" }.joined(separator: "+")
        }.joined(separator: ", ")
    }

    /// The labels of the attributes under 2.5.4, by the last arc.
    private static let labels: [UInt8: String] = [
        3: "CN", 5: "serialNumber", 6: "C", 7: "L", 8: "ST", 10: "O", 11: "OU",
    ]

    private static func label(of type: ArraySlice<UInt8>) -> String {
        if type.count == 3, type.starts(with: [0x55, 0x04]), let last = type.last, let label = labels[last] {
            return label
        }
        return type.elementsEqual(ObjectIdentifier.emailAddress) ? "emailAddress" : ObjectIdentifier.text(of: type)
    }

    private static func string(_ attribute: Attribute) -> String {
        switch attribute.tag {
        case DERTag.bmpString:
            let units = stride(from: attribute.value.startIndex, to: attribute.value.endIndex - 1, by: 2).map {
                UInt16(attribute.value[$0]) << 8 | UInt16(attribute.value[$0 + 1])
            }
            return Printable.text(String(decoding: units, as: UTF16.self))
        case DERTag.teletexString:
            return Printable.text(String(String.UnicodeScalarView(attribute.value.map { Unicode.Scalar($0) })))
        default:
            return Printable.text(attribute.value)
        }
    }

    /// Returns how many comparisons an attribute of this size counts for. Hosts are short by definition, but a peer
    /// chooses the length of a name and so the cost of comparing it. The budget must therefore take the size into
    /// account.
    static func weight(of byteCount: Int) -> Int { byteCount / 64 }
}
