/// Folds the text of a name attribute for comparison (RFC 5280, 7.1, without full string preparation).
///
/// The result is in lower case, without leading and trailing spaces, with runs of spaces as one, independent of the
/// string type. A peer chooses the length of names, so the work is linear in the number of bytes.
enum AttributeText {
    /// Appends the folded text as UTF-8.
    ///
    /// Returns `false` and appends nothing if the value is not unambiguous text: it has another type, is malformed, or
    /// is a TeletexString with bytes beyond ASCII, which some CAs encode in T.61 and most in Latin-1.
    static func fold(_ value: ArraySlice<UInt8>, tag: UInt8, into output: inout [UInt8]) -> Bool {
        switch tag {
        case DERTag.utf8String:
            if foldASCII(value, into: &output) { return true }
            guard let text = String(validating: value, as: UTF8.self) else { return false }
            fold(text.unicodeScalars, into: &output)
            return true
        case DERTag.printableString, DERTag.ia5String, DERTag.numericString, DERTag.visibleString, DERTag.teletexString:
            return foldASCII(value, into: &output)
        case DERTag.bmpString:
            guard let text = bmpText(value) else { return false }
            fold(text.unicodeScalars, into: &output)
            return true
        case DERTag.universalString:
            guard let scalars = universalText(value) else { return false }
            fold(scalars, into: &output)
            return true
        default: return false
        }
    }

    private static func foldASCII(_ value: ArraySlice<UInt8>, into output: inout [UInt8]) -> Bool {
        let start = output.count
        var needsSpace = false
        var index = value.startIndex
        while index < value.endIndex {
            let byte = value[index]
            index += 1
            guard byte < 0x80 else {
                output.removeSubrange(start...)
                return false
            }
            if byte == 0x20 {
                needsSpace = output.count > start
                continue
            }
            if needsSpace { output.append(0x20) }
            needsSpace = false
            output.append(DNSName.lower(byte))
        }
        return true
    }

    private static func fold(_ scalars: some Sequence<Unicode.Scalar>, into output: inout [UInt8]) {
        let start = output.count
        var needsSpace = false
        for scalar in scalars {
            if scalar.value == 0x20 {
                needsSpace = output.count > start
                continue
            }
            if needsSpace { output.append(0x20) }
            needsSpace = false
            if scalar.value < 0x80 {
                output.append(DNSName.lower(UInt8(scalar.value)))
            } else if scalar.properties.changesWhenLowercased {
                output.append(contentsOf: scalar.properties.lowercaseMapping.utf8)
            } else if let encoded = UTF8.encode(scalar) {
                output.append(contentsOf: encoded)
            }
        }
    }

    /// Decodes a BMPString: UCS-2 originally, UTF-16 today. Returns `nil` for an odd number of bytes or an unpaired
    /// surrogate.
    private static func bmpText(_ value: ArraySlice<UInt8>) -> String? {
        guard value.count.isMultiple(of: 2) else { return nil }
        var units: [UInt16] = []
        units.reserveCapacity(value.count / 2)
        var index = value.startIndex
        while index < value.endIndex {
            units.append(UInt16(value[index]) << 8 | UInt16(value[index + 1]))
            index += 2
        }
        return String(validating: units, as: UTF16.self)
    }

    /// Decodes a UniversalString with four bytes for each scalar. Returns `nil` for anything else.
    private static func universalText(_ value: ArraySlice<UInt8>) -> [Unicode.Scalar]? {
        guard value.count.isMultiple(of: 4) else { return nil }
        var scalars: [Unicode.Scalar] = []
        scalars.reserveCapacity(value.count / 4)
        var index = value.startIndex
        while index < value.endIndex {
            let number = value[index..<index + 4].reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
            guard let scalar = Unicode.Scalar(number) else { return nil }
            scalars.append(scalar)
            index += 4
        }
        return scalars
    }
}
