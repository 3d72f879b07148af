import NIOCore
import Synchronization

/// Connections whose responses wait until there are enough connections.
final class HeldConnections: Sendable {
    static let shared = HeldConnections()

    private let channels = Mutex<[any Channel]>([])

    /// Adds a connection. Responds on all connections when there are `count`.
    func add(_ channel: any Channel, of count: Int) {
        let complete = channels.withLock { channels -> [any Channel] in
            channels.append(channel)
            guard channels.count >= count else { return [] }
            defer { channels = [] }
            return channels
        }
        for channel in complete { channel.writeAndFlush(ServerBodies.smallResponse, promise: nil) }
    }
}
