import Synchronization

/// The traffic through a ``Relay``.
final class Traffic: Sendable {
    struct Counts: Codable, Sendable {
        var connections = 0
        /// The bytes from the client and to the client. TLS records count, headers of TCP and IP do not.
        var up = 0
        var down = 0

        static func - (left: Counts, right: Counts) -> Counts {
            Counts(
                connections: left.connections - right.connections, up: left.up - right.up,
                down: left.down - right.down)
        }
    }

    private let state = Mutex(Counts())

    var counts: Counts { state.withLock { $0 } }

    func opened() { state.withLock { $0.connections += 1 } }

    func passed(_ bytes: Int, isUp: Bool) {
        state.withLock { counts in
            if isUp { counts.up += bytes } else { counts.down += bytes }
        }
    }
}
