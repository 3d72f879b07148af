import NIOCore
import NIOPosix

/// Ports of 127.0.0.1. Calls block the calling thread.
enum FreePort {
    /// Returns a port that no process uses at the moment.
    static func find() throws -> Int {
        let channel = try ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .bind(host: "127.0.0.1", port: 0).wait()
        let port = channel.localAddress?.port
        try channel.close().wait()
        guard let port else { throw BenchFailure("a listening socket without a port") }
        return port
    }

    /// Returns whether a process accepts connections at a port.
    static func isInUse(_ port: Int) -> Bool {
        let attempt = ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .connect(host: "127.0.0.1", port: port)
        guard let channel = try? attempt.wait() else { return false }
        // The attempt can get this port as its own, because free ports are in the range of outgoing ports. Then the
        // socket accepts itself.
        let isItself = channel.localAddress?.port == port
        try? channel.close().wait()
        return !isItself
    }
}
