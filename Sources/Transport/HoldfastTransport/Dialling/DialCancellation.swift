import HoldfastNIO
import NIOCore
import Synchronization

/// Cancels one dial. It may be used from any thread.
package final class DialCancellation: Sendable {
    private struct Storage {
        var isCancelled = false
        var hasEnded = false
        /// The sockets that the dial has opened.
        var channels: [any Channel] = []
    }

    private let storage = Mutex(Storage())

    package init() {}

    /// Closes the sockets of the dial, which then fails. Has no effect after the dial has ended.
    package func cancel() {
        let channels = storage.withLock { storage in
            if !storage.hasEnded { storage.isCancelled = true }
            defer { storage.channels = [] }
            return storage.channels
        }
        for channel in channels { channel.cut() }
    }

    /// Records a socket of the dial. Closes it if the dial was cancelled.
    func note(_ channel: any Channel) {
        let isCancelled = storage.withLock { storage in
            if !storage.isCancelled, !storage.hasEnded { storage.channels.append(channel) }
            return storage.isCancelled
        }
        if isCancelled { channel.cut() }
    }

    /// Records the end of the dial. Returns whether it was cancelled before, so that its connection must not be used.
    func end() -> Bool {
        storage.withLock { storage in
            storage.hasEnded = true
            storage.channels = []
            return storage.isCancelled
        }
    }
}
