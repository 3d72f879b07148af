import HoldfastTestSupport

/// Words and messages out of a seed. Few words are frequent and many are rare, as in a language (Zipf's law), half of
/// them in Latin and half in Cyrillic letters.
struct Corpus {
    private static let latin = [
        "ba", "ce", "di", "fo", "gu", "ha", "ki", "le", "mo", "nu", "pra", "ste", "tri", "vo", "wa",
    ]
    private static let cyrillic = [
        "ба", "ве", "ги", "до", "жу", "за", "ки", "ле", "мо", "ну", "пра", "сте", "три", "фо", "ща",
    ]

    private let words: [String]
    /// For each word the sum of the weights up to it.
    private let weights: [Double]
    private var generator: SeededGenerator

    init(seed: UInt64, words count: Int = 20_000) {
        var generator = SeededGenerator(seed: seed)
        var words: [String] = []
        var known: Set<String> = []
        while words.count < count {
            let syllables = words.count.isMultiple(of: 2) ? Self.latin : Self.cyrillic
            let word = (0..<Int.random(in: 1...4, using: &generator)).map { _ in
                syllables[Int.random(in: 0..<syllables.count, using: &generator)]
            }.joined()
            // The shortest ones are soon all taken, and drawn again.
            if known.insert(word).inserted { words.append(word) }
        }
        self.words = words
        var sum = 0.0
        weights = words.indices.map { index in
            sum += 1 / Double(index + 1)
            return sum
        }
        self.generator = generator
    }

    /// A word, the frequent ones more often.
    mutating func word() -> String {
        let mark = Double.random(in: 0..<(weights.last ?? 1), using: &generator)
        var (low, high) = (0, weights.count)
        while low < high {
            let middle = (low + high) / 2
            if weights[middle] <= mark { low = middle + 1 } else { high = middle }
        }
        return words[min(low, words.count - 1)]
    }

    /// A message of 3 to 20 words.
    mutating func message() -> String {
        (0..<Int.random(in: 3...20, using: &generator)).map { _ in word() }.joined(separator: " ")
    }

    /// The beginning of a word, as somebody types it: from one letter to the whole word.
    mutating func prefix() -> String {
        let word = word()
        return String(word.prefix(Int.random(in: 1...word.count, using: &generator)))
    }

    /// A number below `bound`.
    mutating func number(below bound: Int) -> Int {
        Int.random(in: 0..<Swift.max(1, bound), using: &generator)
    }
}
