import Foundation
import HoldfastTestSupport
import Testing

@testable import HoldfastTrust

@Suite("Canonical composition")
struct CanonicalCompositionTests {
    private func text(_ scalars: [Unicode.Scalar]) -> String {
        var text = ""
        text.unicodeScalars.append(contentsOf: scalars)
        return text
    }

    private func isCovered(_ scalar: Unicode.Scalar) -> Bool {
        let properties = scalar.properties
        guard let age = properties.age, age <= CanonicalComposition.unicodeVersion else { return false }
        // These characters are refused before or after composition, so their composition is not relevant.
        return !properties.isFullCompositionExclusion && !properties.changesWhenNFKCCaseFolded
    }

    @Test("every character is recomposed from its decomposition, as in Foundation")
    func single() {
        var compared = 0
        for value in UInt32(0x80)...0x1ffff {
            guard let scalar = Unicode.Scalar(value), isCovered(scalar) else { continue }
            let decomposed = String(scalar).decomposedStringWithCanonicalMapping
            let composed = CanonicalComposition.compose(Array(decomposed.unicodeScalars))
            if composed != [scalar] { Issue.record("U+\(String(value, radix: 16)) became \(composed)") }
            compared += 1
        }
        #expect(compared > 70_000)
    }

    @Test("random sequences are composed as in Foundation", arguments: [1, 2] as [UInt64])
    func sequences(seed: UInt64) {
        let bases = Array(
            "aeiouâêôăơưåøæßγαεηιουωⱳякडক가각か\u{1100}\u{1161}"
                .unicodeScalars)
        let marks: [Unicode.Scalar] = [
            "\u{300}", "\u{301}", "\u{302}", "\u{303}", "\u{304}", "\u{306}", "\u{307}", "\u{308}", "\u{30b}",
            "\u{31b}",
            "\u{323}", "\u{327}", "\u{328}", "\u{331}", "\u{313}", "\u{314}", "\u{342}", "\u{3099}", "\u{93c}",
            "\u{9be}", "\u{9d7}", "\u{11a8}", "\u{1161}", "\u{338}", "\u{5b4}",
        ]
        var random = SeededGenerator(seed: seed)
        for _ in 0..<20_000 {
            var scalars: [Unicode.Scalar] = []
            for _ in 0..<Int.random(in: 1...6, using: &random) {
                let pool = Int.random(in: 0..<3, using: &random) == 0 ? bases : marks
                scalars.append(pool.randomElement(using: &random) ?? "a")
            }
            // The text is decomposed first, because Foundation treats U+AC00 U+11A8 as composed, which contradicts UAX
            // #15.
            let decomposed = text(scalars).decomposedStringWithCanonicalMapping
            let expected = Array(decomposed.precomposedStringWithCanonicalMapping.unicodeScalars)
            let composed = CanonicalComposition.compose(scalars)
            if composed != expected { Issue.record("\(scalars) became \(composed), not \(expected)") }
        }
    }
}
