import NIOCore
import Synchronization

/// The accepted connections of a server. They are closed with the server.
final class OpenChannels: Sendable {
    private let channels = Mutex<[ObjectIdentifier: any Channel]>([:])

    /// Tracks the channel until it is closed.
    func add(_ channel: any Channel) {
        let id = ObjectIdentifier(channel)
        channels.withLock { $0[id] = channel }
        channel.closeFuture.whenComplete { _ in
            self.channels.withLock { $0[id] = nil }
        }
    }

    /// Closes all open channels and waits until they are closed.
    func closeAll() async {
        for channel in channels.withLock({ Array($0.values) }) {
            try? await channel.close().get()
        }
    }
}
