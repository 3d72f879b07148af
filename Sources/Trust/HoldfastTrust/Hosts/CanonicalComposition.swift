/// Unicode's canonical composition (NFC, UAX #15) for lower-case labels.
///
/// FoundationEssentials does not provide normalization, so the composites come from ``table``. Hangul is computed, and
/// combining classes come from the standard library. Characters whose canonical decomposition is never composed again
/// are not changed; the label check refuses them.
enum CanonicalComposition {
    private struct Pair: Hashable {
        var first: Unicode.Scalar
        var second: Unicode.Scalar
    }

    /// The composites by their two parts, and the parts by composite. Created when the first non-ASCII label is
    /// processed.
    private static let composites: (byParts: [Pair: Unicode.Scalar], parts: [Unicode.Scalar: Pair]) = {
        var byParts: [Pair: Unicode.Scalar] = [:]
        var parts: [Unicode.Scalar: Pair] = [:]
        var second: Unicode.Scalar?
        for word in table.split(whereSeparator: \.isWhitespace) {
            if word.hasSuffix(":") {
                second = scalar(word.dropLast())
                continue
            }
            let sides = word.split(separator: "=")
            guard let second, sides.count == 2, let first = scalar(sides[0]), let composite = scalar(sides[1]) else {
                continue
            }
            byParts[Pair(first: first, second: second)] = composite
            parts[composite] = Pair(first: first, second: second)
        }
        return (byParts, parts)
    }()

    /// Returns the scalars in NFC.
    static func compose(_ scalars: [Unicode.Scalar]) -> [Unicode.Scalar] {
        var decomposed: [Unicode.Scalar] = []
        for scalar in scalars { decompose(scalar, into: &decomposed) }
        return composed(ordered(decomposed))
    }

    private static func decompose(_ scalar: Unicode.Scalar, into output: inout [Unicode.Scalar]) {
        if let pair = composites.parts[scalar] {
            decompose(pair.first, into: &output)
            output.append(pair.second)
        } else if let jamo = Hangul.decompose(scalar) {
            output += jamo
        } else {
            output.append(scalar)
        }
    }

    /// Sorts each run of marks by combining class and keeps the order within a class.
    private static func ordered(_ scalars: [Unicode.Scalar]) -> [Unicode.Scalar] {
        var output: [Unicode.Scalar] = []
        var run: [(combiningClass: UInt8, place: Int, scalar: Unicode.Scalar)] = []
        func flush() {
            output += run.sorted { ($0.combiningClass, $0.place) < ($1.combiningClass, $1.place) }.map(\.scalar)
            run.removeAll()
        }
        for scalar in scalars {
            let combiningClass = scalar.properties.canonicalCombiningClass.rawValue
            if combiningClass == 0 {
                flush()
                output.append(scalar)
            } else {
                run.append((combiningClass, run.count, scalar))
            }
        }
        flush()
        return output
    }

    private static func composed(_ scalars: [Unicode.Scalar]) -> [Unicode.Scalar] {
        var output: [Unicode.Scalar] = []
        var starter: Int?
        // The combining class of the last character after the starter that was not composed.
        var lastClass: UInt8 = 0
        for scalar in scalars {
            let combiningClass = scalar.properties.canonicalCombiningClass.rawValue
            let isBlocked = starter.map { $0 + 1 < output.count && lastClass >= combiningClass } ?? true
            if let place = starter, !isBlocked, let composite = composite(output[place], scalar) {
                output[place] = composite
                continue
            }
            if combiningClass == 0 { starter = output.count }
            lastClass = combiningClass
            output.append(scalar)
        }
        return output
    }

    private static func composite(_ first: Unicode.Scalar, _ second: Unicode.Scalar) -> Unicode.Scalar? {
        Hangul.compose(first, second) ?? composites.byParts[Pair(first: first, second: second)]
    }

    private static func scalar(_ hexadecimal: Substring) -> Unicode.Scalar? {
        UInt32(hexadecimal, radix: 16).flatMap(Unicode.Scalar.init)
    }
}

/// Composes Hangul syllables by arithmetic (The Unicode Standard, 3.12).
enum Hangul {
    private static let syllables: UInt32 = 0xac00
    private static let leads: UInt32 = 0x1100
    private static let vowels: UInt32 = 0x1161
    /// The code point before the first trailing consonant: trail 0 means that there is none.
    private static let trails: UInt32 = 0x11a7
    private static let leadCount: UInt32 = 19
    private static let vowelCount: UInt32 = 21
    private static let trailCount: UInt32 = 28

    /// Returns the two or three jamo of a syllable, or `nil` for any other character.
    static func decompose(_ scalar: Unicode.Scalar) -> [Unicode.Scalar]? {
        guard scalar.value >= syllables, scalar.value < syllables + leadCount * vowelCount * trailCount else {
            return nil
        }
        let index = scalar.value - syllables
        var jamo = [leads + index / (vowelCount * trailCount), vowels + index / trailCount % vowelCount]
        if index % trailCount > 0 { jamo.append(trails + index % trailCount) }
        return jamo.compactMap(Unicode.Scalar.init)
    }

    /// Returns the syllable of a lead and a vowel, or of a syllable without a trail and a trail; `nil` for other pairs.
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
