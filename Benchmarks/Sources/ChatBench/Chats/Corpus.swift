import HoldfastTestSupport

/// Words and messages generated from a seed. Word frequencies follow Zipf's law, as in a natural language. Half of the
/// words have Latin letters, half Cyrillic.
struct Corpus {
    private static let latin = [
        "ba", "ce", "di", "fo", "gu", "ha", "ki", "le", "mo", "nu", "pra", "ste", "tri", "vo", "wa",
    ]
    private static let cyrillic = [
        "ба", "ве", "ги", "до", "жу", "за", "ки", "ле",
        "мо", "ну", "пра", "сте", "три", "фо", "ща",
    ]

    private let words: [String]
    /// The cumulative weight of each word.
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
            // Short words are soon all in use. Another word is then drawn.
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

    /// Returns a random word, weighted by frequency.
    mutating func word() -> String {
        let mark = Double.random(in: 0..<(weights.last ?? 1), using: &generator)
        var (low, high) = (0, weights.count)
        while low < high {
            let middle = (low + high) / 2
            if weights[middle] <= mark { low = middle + 1 } else { high = middle }
        }
        return words[min(low, words.count - 1)]
    }

    /// Returns a message of 3 to 20 words.
    mutating func message() -> String {
        (0..<Int.random(in: 3...20, using: &generator)).map { _ in word() }.joined(separator: " ")
    }

    /// Returns the beginning of a word, as a user types it: from one letter to the whole word.
    mutating func prefix() -> String {
        let word = word()
        return String(word.prefix(Int.random(in: 1...word.count, using: &generator)))
    }

    /// Returns a random number below `bound`.
    mutating func number(below bound: Int) -> Int {
        Int.random(in: 0..<Swift.max(1, bound), using: &generator)
    }
}
