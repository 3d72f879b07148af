package import ChatServerCore
import HoldfastSystem

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The server's clock. It is read once per event; the core itself reads no clock.
package struct ServerTimeSource: Sendable {
    private let read: @Sendable () -> ServerMoment

    /// Creates a clock from `now`, which is called from any thread.
    package init(now: @escaping @Sendable () -> ServerMoment) {
        read = now
    }

    /// The machine's clocks.
    package static let system: ServerTimeSource = {
        let start = ContinuousClock.now
        return ServerTimeSource {
            let wall = (Date().timeIntervalSince1970 * 1000).rounded(.down)  // reason: the only wall clock reading
            return ServerMoment(
                monotonic: (ContinuousClock.now - start).wholeNanoseconds, wall: Int64(exactly: wall) ?? 0)
        }
    }()

    /// Returns the current time.
    package func now() -> ServerMoment { read() }
}

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
