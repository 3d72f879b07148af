import HoldfastTestSupport
import HoldfastTrust

/// The keys, the random numbers and the factory of a generator. Keys are made once, because their values do not matter.
struct CaseWorld {
    static let host = "chat.example.com"

    let factory = CertificateFactory()
    let keys: [Key]
    var random: SeededGenerator

    init(seed: UInt64) throws {
        keys = try (0..<12).map { try Key.shared(.p256, "differential \($0)") }
        random = SeededGenerator(seed: seed)
    }

    var now: Timestamp { factory.now }

    mutating func chance(_ percent: Int) -> Bool { Int.random(in: 0..<100, using: &random) < percent }

    mutating func number(_ range: ClosedRange<Int>) -> Int { Int.random(in: range, using: &random) }

    mutating func pick<T>(_ items: [T]) -> T { items[Int.random(in: 0..<items.count, using: &random)] }

    /// Returns a time at one of the edges of the current second.
    mutating func edge() -> Timestamp { now.advanced(bySeconds: Int64(pick([-86_400, -1, 0, 1, 86_400]))) }

    mutating func serial() -> [UInt8] {
        [UInt8.random(in: 1...0x7F, using: &random)] + (0..<11).map { _ in UInt8.random(in: 0...255, using: &random) }
    }

    /// Returns the options of a valid certificate.
    mutating func options(_ key: Key) -> CertificateOptions {
        CertificateOptions(key: key, serial: serial())
    }

    /// Changes one byte of an encoding.
    mutating func corrupt(_ der: inout [UInt8]) {
        guard !der.isEmpty else { return }
        der[number(0...der.count - 1)] ^= UInt8(1 << number(0...7))
    }
}
