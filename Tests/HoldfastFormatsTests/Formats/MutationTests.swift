import HoldfastFormats
import HoldfastTestSupport
import HoldfastTrust
import Testing

/// Damaged files: whatever comes, an answer comes back, and lint and writers live with it.
@Suite("Damaged files") struct MutationTests {
    private static let pieces: [[UInt8]] =
        [
            "<", ">", "</", "/>", "&", "&#x", ";", "\"", "'", "{", "}", "[", "]", ",", ":", "\\u", "=", "\n", "\r\n",
            "\0", "-->",
            "<!--", "<![CDATA[", "]]>", "<!DOCTYPE", "<?", "99999999999999999999", "-1", "sha256/", "max-age", "*",
            "..",
        ].map { Array($0.utf8) } + [[0xFF], [0xC3], [0xEF, 0xBB, 0xBF], [0x80, 0x80]]

    @Test(arguments: PolicyFormat.allCases)
    func neverTrap(_ format: PolicyFormat) throws {
        var generator = DocumentGenerator(seed: 7)
        let options = PolicyReadOptions(host: "example.com", receivedAt: CertificateFactory.referenceTime, keys: [0x41])
        var refused = 0
        for round in 0..<400 {
            let document = try generator.document(for: format)
            var bytes = Array((PolicyFormats.write(document, as: format).text ?? "").utf8)
            for _ in 0..<Int.random(in: 1...4, using: &generator.random) {
                MutationTests.mutate(&bytes, &generator.random)
            }
            let read = PolicyFormats.read(bytes, as: round.isMultiple(of: 3) ? nil : format, options: options)
            if (try? read.policy()) == nil { refused += 1 }
            _ = PolicyLint.check(read, at: CertificateFactory.referenceTime)
            _ = PolicyFormats.write(read, as: PolicyFormat.allCases[round % PolicyFormat.allCases.count])
            _ = PolicyLint.checkConfiguration(bytes)
        }
        // Most damage is seen; some only changes what is said.
        #expect(refused > 100)
    }

    private static func mutate(_ bytes: inout [UInt8], _ random: inout SeededGenerator) {
        let place = Int.random(in: 0...bytes.count, using: &random)
        switch Int.random(in: 0..<5, using: &random) {
        case 0: bytes.insert(contentsOf: pieces.randomElement(using: &random) ?? [], at: place)
        case 1: bytes.removeSubrange(place..<min(bytes.count, place + Int.random(in: 1...20, using: &random)))
        case 2: bytes = Array(bytes.prefix(place))
        case 3 where place < bytes.count: bytes[place] = UInt8.random(in: 0...255, using: &random)
        default:
            let end = min(bytes.count, place + Int.random(in: 1...40, using: &random))
            bytes.insert(contentsOf: bytes[place..<end], at: place)
        }
    }
}
