import Synchronization

/// The traffic through a ``Relay``.
package final class Traffic: Sendable {
    package struct Counts: Codable, Sendable {
        package var connections = 0
        /// The bytes from the client and to the client. TLS records count, headers of TCP and IP do not.
        package var up = 0
        package var down = 0

        package init() {}

        package static func - (left: Counts, right: Counts) -> Counts {
            var counts = left
            counts.connections -= right.connections
            counts.up -= right.up
            counts.down -= right.down
            return counts
        }
    }

    private let state = Mutex(Counts())

    package var counts: Counts { state.withLock { $0 } }

    func opened() { state.withLock { $0.connections += 1 } }

    func passed(_ bytes: Int, isUp: Bool) {
        state.withLock { counts in
            if isUp { counts.up += bytes } else { counts.down += bytes }
        }
    }
}
