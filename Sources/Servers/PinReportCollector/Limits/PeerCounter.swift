import ServerKit
import Synchronization

/// Counts the open connections of each peer.
final class PeerCounter: Sendable {
    private let counts = Mutex<[PeerAddress: Int]>([:])
    private let limit: Int

    init(limit: Int) {
        self.limit = limit
    }

    /// Counts a connection. Returns `false` if the peer has reached its limit.
    func enter(_ peer: PeerAddress) -> Bool {
        counts.withLock { counts in
            let count = counts[peer, default: 0]
            guard count < limit else { return false }
            counts[peer] = count + 1
            return true
        }
    }

    /// Removes a counted connection.
    func leave(_ peer: PeerAddress) {
        counts.withLock { counts in
            let count = counts[peer, default: 0]
            counts[peer] = count > 1 ? count - 1 : nil
        }
    }
}
