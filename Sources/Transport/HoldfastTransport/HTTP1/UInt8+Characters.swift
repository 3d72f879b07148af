extension UInt8 {
    static let tab: UInt8 = 0x09
    static let lineFeed: UInt8 = 0x0A
    static let carriageReturn: UInt8 = 0x0D
    static let space: UInt8 = 0x20

    var isDigit: Bool { self >= 0x30 && self <= 0x39 }

    /// The value of a hexadecimal digit.
    var hexadecimalValue: Int64? {
        switch self {
        case 0x30...0x39: Int64(self - 0x30)
        case 0x41...0x46: Int64(self - 0x41 + 10)
        case 0x61...0x66: Int64(self - 0x61 + 10)
        default: nil
        }
    }

    /// Whether the byte is a `tchar` (RFC 9110, 5.6.2).
    package var isTokenCharacter: Bool {
        switch self {
        case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: true
        // ! # $ % & ' * + - . ^ _ ` | ~
        case 0x21, 0x23...0x27, 0x2A, 0x2B, 0x2D, 0x2E, 0x5E...0x60, 0x7C, 0x7E: true
        default: false
        }
    }
}
