package import ChatServerCore

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Where the server's time comes from. It is read once for each event; the core itself reads no clock.
package struct ServerTimeSource: Sendable {
    private let read: @Sendable () -> ServerMoment

    /// Makes a clock that answers with `now`. The closure is called from any thread.
    package init(now: @escaping @Sendable () -> ServerMoment) {
        read = now
    }

    /// The machine's clocks.
    package static let system: ServerTimeSource = {
        let start = ContinuousClock.now
        return ServerTimeSource {
            let (seconds, attoseconds) = (ContinuousClock.now - start).components
            let wall = (Date().timeIntervalSince1970 * 1000).rounded(.down)  // reason: the one reading of it
            return ServerMoment(
                monotonic: seconds * 1_000_000_000 + attoseconds / 1_000_000_000, wall: Int64(exactly: wall) ?? 0)
        }
    }()

    /// The present moment.
    package func now() -> ServerMoment { read() }
}
