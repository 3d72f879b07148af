/// Comparing what peers send, byte by byte. Unicode's rules have no place in a protocol: for Swift's `lowercased()` the Kelvin
/// sign (U+212A) is a `k`, and a combining mark behind a comma makes it another character.
extension StringProtocol {
    /// The text with the ASCII letters in lower case, and nothing else changed.
    package var asciiLowercased: String {
        String(decoding: utf8.lazy.map(\.asciiLowercased), as: UTF8.self)
    }

    /// Whether both have the same bytes but for the case of ASCII letters.
    package func equalsIgnoringASCIICase(_ other: some StringProtocol) -> Bool {
        utf8.lazy.map(\.asciiLowercased).elementsEqual(other.utf8.lazy.map(\.asciiLowercased))
    }

    /// The elements of a list with commas (RFC 9110, 5.6.1), without the blanks around them. Empty ones stay.
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
