import HoldfastBase
import Testing

@Suite struct SplitMix64Tests {
    /// Expects the first numbers of the authors' program for the seed 1234567.
    @Test func generatesPublishedSequence() {
        var generator = SplitMix64(seed: 1_234_567)
        #expect(
            (0..<5).map { _ in generator.next() } == [
                6_457_827_717_110_365_317, 3_203_168_211_198_807_973, 9_817_491_932_198_370_423,
                4_593_380_528_125_082_431, 16_408_922_859_458_223_821,
            ])
    }

    @Test func sameSeedGivesSameSequence() {
        var (first, second) = (SplitMix64(seed: .max), SplitMix64(seed: .max))
        #expect((0..<100).allSatisfy { _ in first.next() == second.next() })
        #expect(SplitMix64.mixed(0) == 0)
    }
}

@Suite struct SeededIdentifierTests {
    @Test func identifierIsVersion4UUID() {
        var numbers = SplitMix64(seed: 1)
        #expect(numbers.uuid() == "910a2dec-8902-4cc1-beeb-8da1658eec67")
        #expect(numbers.hexadecimal() == "f893a2eefb32555e71c18690ee42c90b")
        for seed in 0..<1_000 as Range<UInt64> {
            var (first, second) = (SplitMix64(seed: seed), SplitMix64(seed: seed))
            let digits = Array(first.hexadecimal())
            let text = Array(second.uuid())
            #expect(text.count == 36 && text[14] == "4" && "89ab".contains(text[19]))
            // All other digits equal the random digits.
            #expect(text[..<8] == digits[..<8] && text[24...] == digits[20...])
        }
    }
}
