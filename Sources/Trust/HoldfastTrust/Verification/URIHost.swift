/// The host of a URI in a certificate, for name constraints.
enum URIHost {
    /// Where the host of the URI lies; `nil` if there is none, or if it is an IP address, to which RFC 5280 gives no
    /// meaning.
    static func host(of range: Range<Int>, in bytes: [UInt8]) -> Range<Int>? {
        guard var start = authority(of: range, in: bytes) else { return nil }
        var end = start
        scan: while end < range.upperBound {
            switch bytes[end] {
            case 0x2F, 0x3F, 0x23: break scan
            case 0x40: start = end + 1
            default: break
            }
            end += 1
        }
        var stop = start
        var isNumeric = true
        while stop < end, bytes[stop] != 0x3A {
            if bytes[stop] != 0x2E, bytes[stop] < 0x30 || bytes[stop] > 0x39 { isNumeric = false }
            stop += 1
        }
        // The bracket of an IPv6 address is no part of a name, so it is refused as well.
        guard !isNumeric, DNSName.isPlausible(bytes, in: start..<stop) else { return nil }
        return start..<stop
    }

    /// What follows the first `://`.
    private static func authority(of range: Range<Int>, in bytes: [UInt8]) -> Int? {
        var index = range.lowerBound
        while index + 2 < range.upperBound {
            if bytes[index] == 0x3A, bytes[index + 1] == 0x2F, bytes[index + 2] == 0x2F { return index + 3 }
            index += 1
        }
        return nil
    }
}
