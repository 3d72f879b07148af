import NIOCore
import Synchronization

/// The accepted connections of a server, so that none outlives it.
final class OpenChannels: Sendable {
    private let channels = Mutex<[ObjectIdentifier: any Channel]>([:])

    /// Keeps the channel until it is closed.
    func add(_ channel: any Channel) {
        let id = ObjectIdentifier(channel)
        channels.withLock { $0[id] = channel }
        channel.closeFuture.whenComplete { _ in
            self.channels.withLock { $0[id] = nil }
        }
    }

    /// Closes all that are open and waits until they are.
    func closeAll() async {
        for channel in channels.withLock({ Array($0.values) }) {
            try? await channel.close().get()
        }
    }
}
