import ServerKit
import Synchronization

/// How many connections each peer has open.
final class PeerCounter: Sendable {
    private let counts = Mutex<[PeerAddress: Int]>([:])
    private let limit: Int

    init(limit: Int) {
        self.limit = limit
    }

    /// Counts one more, unless the peer has as many as it may.
    func enter(_ peer: PeerAddress) -> Bool {
        counts.withLock { counts in
            let count = counts[peer, default: 0]
            guard count < limit else { return false }
            counts[peer] = count + 1
            return true
        }
    }

    /// One of those that entered has gone.
    func leave(_ peer: PeerAddress) {
        counts.withLock { counts in
            let count = counts[peer, default: 0]
            counts[peer] = count > 1 ? count - 1 : nil
        }
    }
}
