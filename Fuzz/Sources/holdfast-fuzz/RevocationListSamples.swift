/// Revocation lists written by hand. Their signatures are invalid, because only the parser is fuzzed.
enum RevocationListSamples {
    static var all: [(name: String, bytes: [UInt8])] {
        let first = element(0x30, element(0x02, [0x12, 0x34]) + time("300101000000Z"))
        let reason = element(0x30, element(0x06, [0x55, 0x1D, 0x15]) + element(0x04, [0x0A, 1, 1]))
        let second = element(0x30, element(0x02, [0x56]) + time("300102000000Z") + element(0x30, reason))
        let number = element(0x30, element(0x06, [0x55, 0x1D, 0x14]) + element(0x04, [0x02, 1, 7]))
        let delta = element(0x30, element(0x06, [0x55, 0x1D, 0x1B]) + [0x01, 1, 0xFF] + element(0x04, [0x02, 1, 5]))
        let point = element(0xA0, element(0xA0, element(0x86, Array("http://a.example/1.crl".utf8))))
        let part = element(
            0x30,
            element(0x06, [0x55, 0x1D, 0x1C]) + [0x01, 1, 0xFF]
                + element(0x04, element(0x30, point + [0x81, 1, 0xFF, 0x83, 2, 1, 0x66])))
        let indirect = element(
            0x30,
            element(0x06, [0x55, 0x1D, 0x1C]) + [0x01, 1, 0xFF] + element(0x04, element(0x30, [0x84, 1, 0xFF])))
        let other = element(
            0x30,
            element(0x06, [0x55, 0x1D, 0x1D]) + [0x01, 1, 0xFF] + element(0x04, element(0x30, [0xA4, 2, 0x30, 0])))
        let third = element(0x30, element(0x02, [0x57]) + time("300103000000Z") + element(0x30, other))
        let key = element(
            0x30, element(0x06, [0x55, 0x1D, 0x23]) + element(0x04, element(0x30, [0x80, 3, 1, 2, 3])))
        return [
            ("part", list(revoked: element(0x30, first), extensions: key + number + part)),
            ("indirect", list(revoked: element(0x30, first + third + second), extensions: number + indirect)),
            ("empty", list(revoked: [], extensions: number)),
            ("two", list(revoked: element(0x30, first + second), extensions: number)),
            ("delta", list(revoked: element(0x30, first), extensions: number + delta)),
            ("version-1", list(revoked: element(0x30, first), extensions: nil)),
        ]
    }

    private static func list(revoked: [UInt8], extensions: [UInt8]?) -> [UInt8] {
        let algorithm = element(0x30, element(0x06, [0x2A, 0x86, 0x48, 0xCE, 0x3D, 0x04, 0x03, 0x02]))
        let name = element(
            0x30, element(0x31, element(0x30, element(0x06, [0x55, 4, 3]) + element(0x0C, Array("Root".utf8)))))
        var body = extensions == nil ? [] : element(0x02, [1])
        body += algorithm + name + time("310101000000Z") + time("310401000000Z") + revoked
        if let extensions { body += element(0xA0, element(0x30, extensions)) }
        return element(0x30, element(0x30, body) + algorithm + element(0x03, [0, 0x30, 6, 2, 1, 1, 2, 1, 1]))
    }

    private static func time(_ text: String) -> [UInt8] { element(0x17, Array(text.utf8)) }

    private static func element(_ tag: UInt8, _ contents: [UInt8]) -> [UInt8] {
        let count = contents.count
        if count < 0x80 { return [tag, UInt8(count)] + contents }
        return [tag, 0x82, UInt8(count >> 8), UInt8(count & 0xFF)] + contents
    }
}
