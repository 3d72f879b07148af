/// A source of randomness for device addresses, message ids and file ids.
package struct RandomSource: Sendable {
    private let draw: @Sendable () -> UInt64

    /// Creates a source from `next`, which is called from any thread.
    package init(next: @escaping @Sendable () -> UInt64) {
        draw = next
    }

    /// The system's generator.
    package static let system = RandomSource {
        var generator = SystemRandomNumberGenerator()
        return generator.next()
    }

    /// Returns 64 random bits.
    package func next() -> UInt64 { draw() }
}
