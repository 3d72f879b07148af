/// Hangul syllables, which Unicode composes by arithmetic (The Unicode Standard, 3.12).
enum Hangul {
    private static let syllables: UInt32 = 0xac00
    private static let leads: UInt32 = 0x1100
    private static let vowels: UInt32 = 0x1161
    /// One before the first trailing consonant: trail 0 means none.
    private static let trails: UInt32 = 0x11a7
    private static let leadCount: UInt32 = 19
    private static let vowelCount: UInt32 = 21
    private static let trailCount: UInt32 = 28

    /// The two or three jamo of a syllable; `nil` for anything else.
    static func decompose(_ scalar: Unicode.Scalar) -> [Unicode.Scalar]? {
        guard scalar.value >= syllables, scalar.value < syllables + leadCount * vowelCount * trailCount else {
            return nil
        }
        let index = scalar.value - syllables
        var jamo = [leads + index / (vowelCount * trailCount), vowels + index / trailCount % vowelCount]
        if index % trailCount > 0 { jamo.append(trails + index % trailCount) }
        return jamo.compactMap(Unicode.Scalar.init)
    }

    /// The syllable of a lead and a vowel, or of a syllable without a trail and a trail; `nil` for anything else.
    static func compose(_ first: Unicode.Scalar, _ second: Unicode.Scalar) -> Unicode.Scalar? {
        if first.value >= leads, first.value < leads + leadCount, second.value >= vowels,
            second.value < vowels + vowelCount
        {
            let index = (first.value - leads) * vowelCount + (second.value - vowels)
            return Unicode.Scalar(syllables + index * trailCount)
        }
        guard first.value >= syllables, first.value < syllables + leadCount * vowelCount * trailCount,
            (first.value - syllables).isMultiple(of: trailCount), second.value > trails,
            second.value < trails + trailCount
        else { return nil }
        return Unicode.Scalar(first.value + (second.value - trails))
    }
}
