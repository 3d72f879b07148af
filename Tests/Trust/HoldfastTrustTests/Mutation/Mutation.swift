import HoldfastTestSupport

/// Damages bytes in one of several ways. The same seed gives the same damage.
struct Mutation {
    private var random: SeededGenerator

    init(seed: UInt64) {
        random = SeededGenerator(seed: seed)
    }

    /// Returns the bytes with one to four changes, which always differ from the original.
    mutating func damaged(_ bytes: [UInt8]) -> [UInt8] {
        while true {
            var result = bytes
            for _ in 0..<Int.random(in: 1...4, using: &random) { change(&result) }
            if result != bytes { return result }
        }
    }

    private mutating func change(_ bytes: inout [UInt8]) {
        guard let place = bytes.indices.randomElement(using: &random) else {
            bytes.append(UInt8.random(in: 0...255, using: &random))
            return
        }
        let end = min(bytes.count, place + Int.random(in: 1...16, using: &random))
        switch Int.random(in: 0..<8, using: &random) {
        case 0: bytes[place] ^= 1 << UInt8.random(in: 0..<8, using: &random)
        case 1: bytes[place] = UInt8.random(in: 0...255, using: &random)
        // These values bring lengths and integers to their limits.
        case 2:
            bytes[place] = [0x00, 0x7F, 0x80, 0x81, 0x82, 0x84, 0x85, 0xFE, 0xFF].randomElement(using: &random) ?? 0
        case 3: bytes.removeSubrange(place...)
        case 4: bytes.removeSubrange(place..<end)
        case 5: bytes.insert(contentsOf: bytes[place..<end], at: place)
        case 6: bytes.insert(UInt8.random(in: 0...255, using: &random), at: place)
        default:
            let other = bytes.indices.randomElement(using: &random) ?? place
            bytes.swapAt(place, other)
        }
    }
}
