/// Compares DNS names in certificates, which are ASCII bytes.
///
/// A certificate may contain thousands of names, so the code uses plain loops over an array.
enum DNSName {
    /// Returns the byte in ASCII lower case.
    static func lower(_ byte: UInt8) -> UInt8 {
        byte >= 0x41 && byte <= 0x5A ? byte | 0x20 : byte
    }

    /// Returns ASCII bytes as lower-case text.
    static func lowered(_ bytes: [UInt8], in range: Range<Int>) -> String {
        var text: [UInt8] = []
        text.reserveCapacity(range.count)
        var index = range.lowerBound
        while index < range.upperBound {
            text.append(lower(bytes[index]))
            index += 1
        }
        return String(decoding: text, as: UTF8.self)
    }

    /// Returns whether a range of the bytes consists of non-empty labels of letters, digits, hyphens and underscores,
    /// without a trailing dot.
    static func isPlausible(_ bytes: [UInt8], in range: Range<Int>) -> Bool {
        guard !range.isEmpty, range.count <= 253 else { return false }
        var length = 0
        var index = range.lowerBound
        while index < range.upperBound {
            let byte = bytes[index]
            if byte == 0x2E {
                guard length > 0 else { return false }
                length = 0
            } else {
                guard isPlausible(byte), length < 63 else { return false }
                length += 1
            }
            index += 1
        }
        return length > 0
    }

    /// Returns whether the byte is a letter, a digit, a hyphen or an underscore.
    private static func isPlausible(_ byte: UInt8) -> Bool {
        if byte >= 0x61 { return byte <= 0x7A }
        if byte >= 0x41 { return byte <= 0x5A || byte == 0x5F }
        return (byte >= 0x30 && byte <= 0x39) || byte == 0x2D
    }

    /// Returns whether a DNS name of a certificate matches `host`, which is canonical and in lower case (RFC 9525,
    /// 6.3).
    ///
    /// The wildcard must be the whole first label, covers exactly one label, and requires two labels after it.
    static func matches(presented bytes: [UInt8], in range: Range<Int>, host: [UInt8]) -> Bool {
        let start = range.lowerBound
        guard range.count >= 2, bytes[start] == UInt8(ascii: "*"), bytes[start + 1] == UInt8(ascii: ".") else {
            return range.count == host.count && isEqual(bytes, range, host, from: 0) && isPlausible(bytes, in: range)
        }
        let parent = (start + 2)..<range.upperBound
        // The first label of the host, which the wildcard covers.
        let first = host.count - parent.count - 1
        guard first > 0, host[first] == UInt8(ascii: "."), isEqual(bytes, parent, host, from: first + 1),
            isPlausible(bytes, in: parent), bytes[parent].contains(UInt8(ascii: "."))
        else { return false }
        return !host[..<first].contains(UInt8(ascii: "."))
    }

    /// Returns whether the bytes of a range, in lower case, are equal to those of `host` from `start`. All bytes must
    /// match.
    private static func isEqual(_ bytes: [UInt8], _ range: Range<Int>, _ host: [UInt8], from start: Int) -> Bool {
        var index = 0
        while index < range.count {
            guard lower(bytes[range.lowerBound + index]) == host[start + index] else { return false }
            index += 1
        }
        return true
    }
}
