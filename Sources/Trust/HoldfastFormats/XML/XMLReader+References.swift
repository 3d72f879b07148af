import HoldfastTrust

extension XMLReader {
    /// Reads `&…;`: one of the five predefined entities, or a character's number.
    mutating func reference() throws(SyntaxFault) -> [UInt8] {
        let start = self
        advance()
        var name: [UInt8] = []
        while let byte = next, byte != UInt8(ascii: ";"), name.count < 12, byte > 0x20, byte != UInt8(ascii: "&") {
            name.append(byte)
            advance()
        }
        guard next == UInt8(ascii: ";") else {
            throw start.fault("malformed-xml", "\"&\" begins a reference, and ends none")
        }
        advance()
        let text = String(decoding: name, as: UTF8.self)
        switch text {
        case "lt": return [UInt8(ascii: "<")]
        case "gt": return [UInt8(ascii: ">")]
        case "amp": return [UInt8(ascii: "&")]
        case "apos": return [UInt8(ascii: "'")]
        case "quot": return [UInt8(ascii: "\"")]
        default: break
        }
        guard text.hasPrefix("#") else {
            throw start.fault("unknown-entity", "the entity &\(Printable.text(text)); is unknown")
        }
        let isHexadecimal = text.hasPrefix("#x")
        let digits = text.dropFirst(isHexadecimal ? 2 : 1)
        guard digits.utf8.first != UInt8(ascii: "+"), digits.utf8.first != UInt8(ascii: "-"),
            let number = UInt32(digits, radix: isHexadecimal ? 16 : 10), let scalar = Unicode.Scalar(number),
            number >= 0x20 || number == 0x09 || number == 0x0A || number == 0x0D, number != 0xFFFE, number != 0xFFFF
        else { throw start.fault("malformed-xml", "&\(Printable.text(text)); is no character") }
        return Array(String(Character(scalar)).utf8)
    }
}
