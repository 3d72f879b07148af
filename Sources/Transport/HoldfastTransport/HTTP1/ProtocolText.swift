/// Byte-wise comparison of protocol text. Unicode rules do not apply to protocols: Swift's `lowercased()` turns the
/// Kelvin sign (U+212A) into a `k`, and a combining mark after a comma forms another character.
extension StringProtocol {
    /// The text with only its ASCII letters in lower case.
    package var asciiLowercased: String {
        String(decoding: utf8.lazy.map(\.asciiLowercased), as: UTF8.self)
    }

    /// Returns whether two texts are equal, ignoring the case of ASCII letters.
    package func equalsIgnoringASCIICase(_ other: some StringProtocol) -> Bool {
        utf8.lazy.map(\.asciiLowercased).elementsEqual(other.utf8.lazy.map(\.asciiLowercased))
    }

    /// The elements of a comma-separated list (RFC 9110, 5.6.1), without surrounding white space. Empty elements are
    /// kept.
    package var listElements: [String] {
        utf8.split(separator: UInt8(ascii: ","), omittingEmptySubsequences: false).map { element in
            let isBlank: (UInt8) -> Bool = { $0 == .space || $0 == .tab }
            let end = element.lastIndex { !isBlank($0) }.map { element.index(after: $0) } ?? element.startIndex
            return String(decoding: element[..<end].drop(while: isBlank), as: UTF8.self)
        }
    }
}

extension UInt8 {
    /// The byte, in lower case if it is an ASCII letter.
    fileprivate var asciiLowercased: UInt8 { self >= 0x41 && self <= 0x5A ? self | 0x20 : self }
}

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
