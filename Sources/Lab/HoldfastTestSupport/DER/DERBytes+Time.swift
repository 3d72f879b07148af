package import HoldfastTrust

extension DERBytes {
    /// A certificate's Time: UTCTime up to 2049, GeneralizedTime before 1950 and from 2050 on (RFC 5280, 4.1.2.5).
    package static func time(_ instant: Timestamp) -> [UInt8] {
        let civil = CivilTime(instant)
        let clock = pad(civil.month) + pad(civil.day) + pad(civil.hour) + pad(civil.minute) + pad(civil.second) + "Z"
        if (1950..<2050).contains(civil.year) {
            return element(0x17, Array((pad(civil.year % 100) + clock).utf8))
        }
        return element(0x18, Array((pad(civil.year / 100) + pad(civil.year % 100) + clock).utf8))
    }

    /// A GeneralizedTime, whatever the year.
    package static func generalizedTime(_ instant: Timestamp) -> [UInt8] {
        let civil = CivilTime(instant)
        let clock = pad(civil.month) + pad(civil.day) + pad(civil.hour) + pad(civil.minute) + pad(civil.second) + "Z"
        return element(0x18, Array((pad(civil.year / 100) + pad(civil.year % 100) + clock).utf8))
    }

    private static func pad(_ number: Int) -> String {
        number < 10 ? "0\(number)" : "\(number)"
    }
}
