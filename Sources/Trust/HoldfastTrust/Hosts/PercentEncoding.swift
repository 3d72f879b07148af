/// Percent-encoding in the host of a URL (RFC 3986, 3.2.2).
enum PercentEncoding {
    /// The text with every `%` and its two digits replaced by the byte that they stand for. One pass: `%2525` becomes
    /// `%25`, which is then no host.
    static func decode(_ text: String) throws(HostFlaw) -> String {
        let percent = UInt8(ascii: "%")
        guard text.utf8.contains(percent) else { return text }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(text.utf8.count)
        var rest = text.utf8.makeIterator()
        while let byte = rest.next() {
            guard byte == percent else {
                bytes.append(byte)
                continue
            }
            guard let high = rest.next().flatMap(digit), let low = rest.next().flatMap(digit) else {
                throw HostFlaw(.invalidPercentEncoding, "has a % without two hexadecimal digits behind it")
            }
            bytes.append(high << 4 | low)
        }
        guard let decoded = String(validating: bytes, as: UTF8.self) else {
            throw HostFlaw(.invalidPercentEncoding, "has percent-encoded bytes that are not UTF-8")
        }
        return decoded
    }

    private static func digit(_ byte: UInt8) -> UInt8? {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
        case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
        case UInt8(ascii: "A")...UInt8(ascii: "F"): byte - UInt8(ascii: "A") + 10
        default: nil
        }
    }
}
