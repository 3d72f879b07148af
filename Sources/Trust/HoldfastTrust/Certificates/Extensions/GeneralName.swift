import HoldfastBase

/// The parts of a `GeneralName` (RFC 5280, 4.2.1.6) that TLS clients need. Ranges refer to the bytes of the
/// certificate.
enum GeneralName: Hashable, Sendable {
    case dns(Range<Int>)
    case ipAddress(Range<Int>)
    case email(Range<Int>)
    case uri(Range<Int>)
    /// The complete `Name`, including its sequence tag.
    case directory(Range<Int>)
    /// Any other form, with its tag.
    case other(tag: UInt8)

    /// The maximum number of names. Real certificates have up to about 1,000; OpenSSL's test of many names has 2,048.
    ///
    /// - Error: `TrustFinding.Code.certificateLimitExceeded`
    static let maximumCount = 8_192

    /// Reads a `GeneralNames` sequence.
    static func sequence(_ reader: DERReader) throws(DERFault) -> [GeneralName] {
        var inner = try reader.onlyElement()
        guard !inner.isAtEnd else { throw inner.fault(.truncated) }
        var names: [GeneralName] = []
        while !inner.isAtEnd {
            guard names.count < maximumCount else { throw inner.fault(.tooManyElements) }
            let name = try GeneralName(&inner)
            // An address has 4 or 16 bytes here. 8 and 32 bytes (with a mask) are used only in name constraints.
            if case .ipAddress(let range) = name, range.count != 4, range.count != 16 {
                throw DERFault(reason: .unexpectedTag, offset: range.lowerBound)
            }
            names.append(name)
        }
        return names
    }

    /// Reads one name.
    init(_ reader: inout DERReader) throws(DERFault) {
        let element = try reader.read()
        guard element.tag & 0xC0 == 0x80 else {
            throw DERFault(reason: .unexpectedTag, offset: element.whole.lowerBound)
        }
        let isConstructed = element.tag & 0x20 != 0
        switch (element.tag & 0x1F, isConstructed) {
        case (1, false): self = .email(element.content)
        case (2, false): self = .dns(element.content)
        case (6, false): self = .uri(element.content)
        case (7, false): self = .ipAddress(element.content)
        case (4, true):
            var inner = reader.inside(element)
            self = .directory(try inner.read(DERTag.sequence).whole)
            try inner.finish()
        case (0, true), (3, true), (5, true), (8, false): self = .other(tag: element.tag)
        default: throw DERFault(reason: .unexpectedTag, offset: element.whole.lowerBound)
        }
        switch self {
        case .dns(let text), .email(let text), .uri(let text):
            // All three forms are IA5String.
            var index = text.lowerBound
            while index < text.upperBound {
                guard reader.bytes[index] < 0x80 else {
                    throw DERFault(reason: .unexpectedTag, offset: text.lowerBound)
                }
                index += 1
            }
        default: break
        }
    }

    /// Returns a DNS name or an IP address as text, or `nil` for the other forms.
    func displayName(in der: [UInt8]) -> String? {
        switch self {
        case .dns(let range): Printable.text(der[range])
        case .ipAddress(let range): IPAddressText.text(of: Array(der[range]))
        default: nil
        }
    }
}
