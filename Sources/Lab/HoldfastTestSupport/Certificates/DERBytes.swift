package import HoldfastTrust

/// Encodes DER by hand, so that tests can mint certificates that a strict library refuses to encode.
///
/// Every function returns the bytes of one complete element.
package enum DERBytes {
    /// Returns one element: tag byte, length, contents.
    package static func element(_ tag: UInt8, _ contents: [UInt8]) -> [UInt8] {
        [tag] + length(contents.count) + contents
    }

    package static func sequence(_ elements: [[UInt8]]) -> [UInt8] { element(0x30, joined(elements)) }

    package static func set(_ elements: [[UInt8]]) -> [UInt8] { element(0x31, joined(elements)) }

    package static func octetString(_ bytes: [UInt8]) -> [UInt8] { element(0x04, bytes) }

    /// Returns a BIT STRING of whole bytes.
    package static func bitString(_ bytes: [UInt8]) -> [UInt8] { element(0x03, [0] + bytes) }

    /// Returns a BIT STRING with named bits, bit 0 first, without trailing zero bits (X.690, section 11.2.2).
    package static func namedBits(_ bits: [Int]) -> [UInt8] {
        guard let last = bits.max() else { return element(0x03, [0]) }
        var bytes = [UInt8](repeating: 0, count: last / 8 + 1)
        for bit in bits { bytes[bit / 8] |= 0x80 >> UInt8(bit % 8) }
        return element(0x03, [UInt8(7 - last % 8)] + bytes)
    }

    package static func boolean(_ value: Bool) -> [UInt8] { element(0x01, [value ? 0xff : 0x00]) }

    package static func null() -> [UInt8] { element(0x05, []) }

    package static func utf8String(_ text: String) -> [UInt8] { element(0x0c, Array(text.utf8)) }

    /// Returns a non-negative INTEGER from its big-endian bytes.
    package static func unsignedInteger(_ bytes: [UInt8]) -> [UInt8] {
        var magnitude = Array(bytes.drop { $0 == 0 })
        if magnitude.first.map({ $0 >= 0x80 }) ?? true { magnitude.insert(0, at: 0) }
        return element(0x02, magnitude)
    }

    /// Returns a context-specific element: constructed for explicit tags and SEQUENCEs, primitive for strings.
    package static func context(_ number: UInt8, constructed: Bool, _ contents: [UInt8]) -> [UInt8] {
        element((constructed ? 0xa0 : 0x80) | number, contents)
    }

    /// Returns an OBJECT IDENTIFIER from its dotted form. Invalid text gives an empty element.
    package static func objectIdentifier(_ dotted: String) -> [UInt8] {
        let arcs = dotted.split(separator: ".").compactMap { UInt64($0) }
        guard arcs.count >= 2, arcs[0] <= 2 else { return element(0x06, []) }
        var bytes: [UInt8] = []
        for arc in [arcs[0] * 40 + arcs[1]] + arcs[2...] {
            var groups = [UInt8(arc & 0x7f)]
            var rest = arc >> 7
            while rest > 0 {
                groups.append(UInt8(rest & 0x7f) | 0x80)
                rest >>= 7
            }
            bytes += groups.reversed()
        }
        return element(0x06, bytes)
    }

    /// Joins elements. In a debug build, `Array(elements.joined())` is slow: it copies byte by byte through generic
    /// code.
    private static func joined(_ elements: [[UInt8]]) -> [UInt8] {
        elements.reduce(into: []) { $0 += $1 }
    }

    private static func length(_ count: Int) -> [UInt8] {
        if count < 0x80 { return [UInt8(count)] }
        var bytes: [UInt8] = []
        var rest = count
        while rest > 0 {
            bytes.insert(UInt8(rest & 0xff), at: 0)
            rest >>= 8
        }
        return [0x80 | UInt8(bytes.count)] + bytes
    }
}

extension DERBytes {
    /// Returns a certificate's Time: UTCTime up to 2049, GeneralizedTime before 1950 and from 2050 on (RFC 5280,
    /// section 4.1.2.5).
    package static func time(_ instant: Timestamp) -> [UInt8] {
        let civil = CivilTime(instant)
        let clock = pad(civil.month) + pad(civil.day) + pad(civil.hour) + pad(civil.minute) + pad(civil.second) + "Z"
        if (1950..<2050).contains(civil.year) {
            return element(0x17, Array((pad(civil.year % 100) + clock).utf8))
        }
        return element(0x18, Array((pad(civil.year / 100) + pad(civil.year % 100) + clock).utf8))
    }

    /// Returns a GeneralizedTime, for any year.
    package static func generalizedTime(_ instant: Timestamp) -> [UInt8] {
        let civil = CivilTime(instant)
        let clock = pad(civil.month) + pad(civil.day) + pad(civil.hour) + pad(civil.minute) + pad(civil.second) + "Z"
        return element(0x18, Array((pad(civil.year / 100) + pad(civil.year % 100) + clock).utf8))
    }

    private static func pad(_ number: Int) -> String {
        number < 10 ? "0\(number)" : "\(number)"
    }
}

/// A UTC calendar date and time of day in the proleptic Gregorian calendar. It is separate from Holdfast's own
/// calendar, so that a bug in that calendar cannot hide in the certificates that test it.
struct CivilTime: Hashable, Sendable {
    var year: Int
    var month: Int
    var day: Int
    var hour: Int
    var minute: Int
    var second: Int

    /// Converts a timestamp. Years are clamped to 0...9999, the range that a certificate can encode.
    init(_ instant: Timestamp) {
        let seconds = min(max(instant.secondsSince1970, -62_167_219_200), 253_402_300_799)
        let (days, secondOfDay) = seconds.quotientAndRemainder(flooringBy: 86_400)
        // The count starts on 1 March of year 0, so that the leap day is the last day of the year.
        let fromMarch = days + 719_468
        let (era, dayOfEra) = fromMarch.quotientAndRemainder(flooringBy: 146_097)
        let yearOfEra = (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let marchMonth = (5 * dayOfYear + 2) / 153
        self.day = Int(dayOfYear - (153 * marchMonth + 2) / 5 + 1)
        self.month = Int(marchMonth < 10 ? marchMonth + 3 : marchMonth - 9)
        self.year = Int(yearOfEra + era * 400) + (marchMonth < 10 ? 0 : 1)
        self.hour = Int(secondOfDay / 3_600)
        self.minute = Int(secondOfDay / 60 % 60)
        self.second = Int(secondOfDay % 60)
    }
}

extension Int64 {
    fileprivate func quotientAndRemainder(flooringBy divisor: Int64) -> (Int64, Int64) {
        let (quotient, remainder) = quotientAndRemainder(dividingBy: divisor)
        return remainder < 0 ? (quotient - 1, remainder + divisor) : (quotient, remainder)
    }
}
