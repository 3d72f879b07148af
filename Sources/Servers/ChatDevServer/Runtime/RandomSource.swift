/// Where device addresses, message ids and file ids get their randomness from.
package struct RandomSource: Sendable {
    private let draw: @Sendable () -> UInt64

    /// Makes a source from `next`, which is called from any thread.
    package init(next: @escaping @Sendable () -> UInt64) {
        draw = next
    }

    /// The system's generator.
    package static let system = RandomSource {
        var generator = SystemRandomNumberGenerator()
        return generator.next()
    }

    /// The next 64 bits.
    package func next() -> UInt64 { draw() }
}
