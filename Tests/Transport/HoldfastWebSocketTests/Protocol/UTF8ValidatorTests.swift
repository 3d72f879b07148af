import HoldfastTestSupport
import HoldfastWebSocket
import Testing

@Suite struct UTF8ValidatorTests {
    /// Returns the index of the refused byte, or `nil` if none is refused.
    private func refusal(_ bytes: [UInt8]) -> Int? {
        var validator = UTF8Validator()
        for (index, byte) in bytes.enumerated() {
            let isValid = [byte].withUnsafeBytes { validator.consume($0) }
            if !isValid { return index }
        }
        return nil
    }

    private func isText(_ bytes: [UInt8]) -> Bool {
        var validator = UTF8Validator()
        return bytes.withUnsafeBytes { validator.consume($0) } && validator.isComplete
    }

    static let texts: [String] = [
        "", "Hello-µ@ßöäüàá-UTF-8!!", "κόσμε",
        "\u{0}", "\u{7F}", "\u{80}", "\u{7FF}", "\u{800}", "\u{FFFF}",
        "\u{10000}",
        "\u{10FFFF}", "\u{D7FF}", "\u{E000}", "\u{FFFD}", "\u{FEFF}", "👩‍👩‍👧‍👦", "\u{1FFFE}",
        String(repeating: "a", count: 1000), String(repeating: "€", count: 1000),
    ]

    @Test(arguments: texts)
    func acceptsTextForEverySegmentation(text: String) {
        let bytes = Array(text.utf8)
        #expect(isText(bytes))
        for cut in 0...bytes.count {
            var validator = UTF8Validator()
            #expect(bytes[..<cut].withUnsafeBytes { validator.consume($0) })
            let isBoundary = cut == bytes.count || bytes[cut] & 0xC0 != 0x80
            #expect(validator.isComplete == isBoundary)
            #expect(bytes[cut...].withUnsafeBytes { validator.consume($0) })
            #expect(validator.isComplete)
        }
    }

    /// Invalid bytes, and the index of the first invalid byte.
    static let wrong: [([UInt8], Int)] = [
        // Bytes that cannot begin a sequence.
        ([0x80], 0), ([0xBF], 0), ([0xC0], 0), ([0xC1], 0), ([0xF5], 0), ([0xF8], 0), ([0xFC], 0), ([0xFE], 0),
        ([0xFF], 0),
        ([0x61, 0x80], 1),
        // Overlong forms, refused at the second byte.
        ([0xE0, 0x80], 1), ([0xE0, 0x9F], 1), ([0xF0, 0x80], 1), ([0xF0, 0x8F], 1),
        // Surrogates.
        ([0xED, 0xA0], 1), ([0xED, 0xBF], 1),
        // Above U+10FFFF.
        ([0xF4, 0x90], 1), ([0xF4, 0xBF], 1),
        // Sequences interrupted by another byte.
        ([0xC3, 0x28], 1), ([0xE2, 0x28, 0xA1], 1), ([0xE2, 0x82, 0x28], 2), ([0xF0, 0x90, 0x28, 0xBC], 2),
        ([0xF0, 0x9F, 0x98, 0x41], 3), ([0xC3, 0xC3], 1), ([0xE2, 0xE2], 1),
        // Errors after bytes that the fast path skips.
        (Array(repeating: 0x61, count: 64) + [0xC0], 64), (Array(repeating: 0x61, count: 61) + [0xED, 0xA0], 62),
    ]

    @Test(arguments: wrong)
    func refusesAtTheFirstInvalidByte(bytes: [UInt8], index: Int) {
        #expect(refusal(bytes) == index)
        #expect(!isText(bytes + [0x80, 0x80, 0x80]))
    }

    @Test(arguments: [[0xC3], [0xE2], [0xE2, 0x82], [0xF0, 0x9F, 0x98]] as [[UInt8]])
    func refusesAnUnfinishedSequence(bytes: [UInt8]) {
        #expect(refusal(bytes) == nil)
        #expect(!isText(bytes))
    }

    @Test func agreesWithTheStandardLibraryOnAllShortSequences() {
        var disagreements: [[UInt8]] = []
        func compareAlone(_ bytes: [UInt8]) {
            if isText(bytes) != (String(validating: bytes, as: UTF8.self) != nil) { disagreements.append(bytes) }
        }
        // Alone, before letters, and after letters of each length, where whole words are skipped.
        func compare(_ bytes: [UInt8]) {
            compareAlone(bytes)
            for front in ["", "a", "ж", "ж€", "жжж"] {
                compareAlone(Array(front.utf8) + bytes + Array("abcdefgh".utf8))
                compareAlone(Array(front.utf8) + bytes + Array("жжжж".utf8))
            }
        }
        let edges: [UInt8] = [0x00, 0x7F, 0x80, 0x8F, 0x90, 0x9F, 0xA0, 0xBF, 0xC0, 0xC2, 0xFF]
        for first in UInt8.min ... .max {
            compare([first])
            for second in UInt8.min ... .max { compare([first, second]) }
            guard first >= 0xE0 else { continue }
            for second in edges {
                for third in edges {
                    compare([first, second, third])
                    for fourth in edges { compare([first, second, third, fourth]) }
                }
            }
        }
        #expect(disagreements == [])
    }

    @Test func agreesWithTheStandardLibraryOnTextsWithAnInvalidByte() {
        let letters = Array("aa жщ€漢👩z µñ한🇩").map { Array(String($0).utf8) }
        var generator = SeededGenerator(seed: 20)
        var disagreements: [[UInt8]] = []
        for _ in 0..<20_000 {
            var bytes = (0..<Int.random(in: 1...12, using: &generator)).flatMap { _ in
                letters.randomElement(using: &generator) ?? []
            }
            for _ in 0..<Int.random(in: 0...2, using: &generator) {
                let index = Int.random(in: bytes.indices, using: &generator)
                switch Int.random(in: 0...2, using: &generator) {
                case 0: bytes[index] = UInt8.random(in: .min ... .max, using: &generator)
                case 1: bytes[index] ^= 1 << UInt8.random(in: 0...7, using: &generator)
                default: bytes.insert(UInt8.random(in: 0x80 ... .max, using: &generator), at: index)
                }
            }
            if isText(bytes) != (String(validating: bytes, as: UTF8.self) != nil) { disagreements.append(bytes) }
            // The result does not depend on the segmentation.
            if isText(bytes) != isTextByteByByte(bytes) { disagreements.append(bytes) }
        }
        #expect(disagreements == [])
    }

    private func isTextByteByByte(_ bytes: [UInt8]) -> Bool {
        var validator = UTF8Validator()
        return bytes.allSatisfy { byte in [byte].withUnsafeBytes { validator.consume($0) } } && validator.isComplete
    }
}
