import HoldfastBase

/// Makes random changes of a frame. The same seed makes the same changes.
struct PageMutator {
    private var numbers: SplitMix64

    private static let pieces = [
        "{", "}", "[", "]", "\"", "\\", ",", ":", "null", "true", "-1", "1e999", "9223372036854775808", "\\ud800",
        "\u{0}",
        "é", "\"v\":2", "\"to\":", " ",
    ].map { Array($0.utf8) }

    init(seed: UInt64) {
        numbers = SplitMix64(seed: seed)
    }

    /// Returns the frame after one to four changes. Half of the frames keep their first `head` bytes.
    mutating func mutate(_ frame: [UInt8], head: Int) -> [UInt8] {
        var bytes = frame
        let start = Bool.random(using: &numbers) ? head : 0
        for _ in 0...Int.random(in: 0..<4, using: &numbers) {
            guard bytes.count > start else { return bytes }
            let place = Int.random(in: start..<bytes.count, using: &numbers)
            switch Int.random(in: 0..<5, using: &numbers) {
            case 0: bytes[place] = UInt8.random(in: 0...255, using: &numbers)
            case 1: bytes.remove(at: place)
            case 2: bytes.insert(contentsOf: Self.pieces.randomElement(using: &numbers) ?? [], at: place)
            case 3: bytes.removeSubrange(place..<min(bytes.count, place + Int.random(in: 1..<20, using: &numbers)))
            default: bytes.insert(contentsOf: bytes[place..<min(bytes.count, place + 12)], at: place)
            }
        }
        return bytes
    }
}
