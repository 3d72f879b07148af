/// Decodes percent-encoded text (RFC 3986, section 2.1).
package enum PercentDecoding {
    /// Decodes a text once. Returns `nil` if two digits do not follow a `%`, or if the bytes are not UTF-8.
    package static func text(_ encoded: some StringProtocol) -> String? {
        var bytes: [UInt8] = []
        var rest = Array(encoded.utf8)[...]
        while let byte = rest.popFirst() {
            guard byte == UInt8(ascii: "%") else {
                bytes.append(byte)
                continue
            }
            guard let high = rest.popFirst().flatMap(value), let low = rest.popFirst().flatMap(value) else {
                return nil
            }
            bytes.append(high << 4 | low)
        }
        return String(validating: bytes, as: UTF8.self)
    }

    private static func value(_ digit: UInt8) -> UInt8? {
        Character(Unicode.Scalar(digit)).hexDigitValue.flatMap(UInt8.init(exactly:))
    }
}
