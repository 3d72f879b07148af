import HoldfastTestSupport

/// Damages bytes as storage errors or attackers would. The same seed gives the same damage.
struct Mutator {
    private var random: SeededGenerator

    init(seed: UInt64) {
        random = SeededGenerator(seed: seed)
    }

    private static let pieces: [[UInt8]] =
        [
            "<", ">", "</", "/>", "&", "&#x", ";", "\"", "'", "{", "}", "[", "]", ",", ":", "\\u", "=", "\n", "\r\n",
            "\0",
            "-->", "<!--", "<![CDATA[", "]]>", "<!DOCTYPE", "<?", "99999999999999999999", "-1", "sha256/", "max-age",
            "*",
            "..", "xn--", "::1", "%2e", "null", "true", "1e999", "9999-12-31", "0000-01-01",
        ].map { Array($0.utf8) } + [[0xFF], [0xC3], [0xEF, 0xBB, 0xBF], [0x80, 0x80], [0xF0, 0x9F, 0x98, 0x80]]

    /// Returns the bytes with one to four changes.
    mutating func damaged(_ bytes: [UInt8]) -> [UInt8] {
        var bytes = bytes
        for _ in 0..<Int.random(in: 1...4, using: &random) { change(&bytes) }
        return bytes
    }

    private mutating func change(_ bytes: inout [UInt8]) {
        let place = Int.random(in: 0...bytes.count, using: &random)
        switch Int.random(in: 0..<6, using: &random) {
        case 0: bytes.insert(contentsOf: Mutator.pieces.randomElement(using: &random) ?? [], at: place)
        case 1: bytes.removeSubrange(place..<min(bytes.count, place + Int.random(in: 1...20, using: &random)))
        case 2: bytes = Array(bytes.prefix(place))
        case 3 where place < bytes.count: bytes[place] = UInt8.random(in: 0...255, using: &random)
        case 4 where place < bytes.count: bytes[place] ^= UInt8(1 << Int.random(in: 0..<8, using: &random))
        default:
            let end = min(bytes.count, place + Int.random(in: 1...40, using: &random))
            bytes.insert(contentsOf: bytes[place..<end], at: place)
        }
    }
}
