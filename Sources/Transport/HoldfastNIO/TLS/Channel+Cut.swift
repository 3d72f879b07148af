public import NIOCore
import NIOSSL

extension Channel {
    /// Closes the channel immediately, without sending a TLS `close_notify` or waiting for the peer's. Callable from
    /// any thread.
    public func cut() {
        if eventLoop.inEventLoop {
            cutOnLoop()
        } else {
            eventLoop.execute { self.cutOnLoop() }
        }
    }

    private func cutOnLoop() {
        // Closing through the TLS handler's own context bypasses that handler's shutdown.
        let pipeline = pipeline.syncOperations
        let tls =
            (try? pipeline.context(handlerType: NIOSSLClientHandler.self))
            ?? (try? pipeline.context(handlerType: NIOSSLServerHandler.self))
        if let tls {
            tls.close(mode: .all, promise: nil)
        } else {
            close(mode: .all, promise: nil)
        }
    }
}
