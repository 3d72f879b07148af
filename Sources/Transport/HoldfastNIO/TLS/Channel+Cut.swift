public import NIOCore
import NIOSSL

extension Channel {
    /// Closes the channel at once: no farewell at the TLS layer, and no waiting for the peer's. Called from any thread.
    public func cut() {
        if eventLoop.inEventLoop {
            cutOnLoop()
        } else {
            eventLoop.execute { self.cutOnLoop() }
        }
    }

    private func cutOnLoop() {
        // An event that starts at the TLS handler's own context skips that handler on its way out.
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
