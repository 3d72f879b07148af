import NIOCore

/// Carries the exchanges of an open connection in any HTTP version. Confined to its event loop.
protocol ConnectionHandler: AnyObject {
    /// Starts an exchange that the pool assigned.
    func start(_ exchange: Exchange)

    /// Waits for the next exchange.
    func park()

    /// Closes the connection, with a TLS close alert.
    func close()

    /// Fails all exchanges in progress and closes the connection.
    func fail(_ error: TransportError)
}

/// A handler on an event loop, callable from any thread.
struct LoopHandle<Handler>: Sendable {
    private let loop: any EventLoop
    private let handler: NIOLoopBound<Handler>

    /// Creates a handle. Must be called on the event loop.
    init(_ handler: Handler, on loop: any EventLoop) {
        self.loop = loop
        self.handler = NIOLoopBound(handler, eventLoop: loop)
    }

    /// Calls the handler: at once on its event loop, asynchronously from other threads.
    func perform(_ action: @escaping @Sendable (Handler) -> Void) {
        if loop.inEventLoop {
            action(handler.value)
        } else {
            let handler = self.handler
            loop.execute { action(handler.value) }
        }
    }
}

/// An open connection as its ``OriginPool`` sees it.
final class PooledConnection: Sendable {
    let id: TransportConnectionID
    /// The maximum number of concurrent exchanges until the server announces its limit; `nil` for one at a time,
    /// whatever the server announces.
    let initialStreams: Int?
    /// The handler that carries the exchanges.
    let handler: LoopHandle<any ConnectionHandler>

    /// Creates a connection. Must be called on the event loop.
    init(
        _ id: TransportConnectionID, _ handler: any ConnectionHandler, initialStreams: Int? = nil,
        on loop: any EventLoop
    ) {
        self.id = id
        self.initialStreams = initialStreams
        self.handler = LoopHandle(handler, on: loop)
    }
}

extension Dialled {
    /// Adds the handlers of the negotiated HTTP version to a new connection. The dialler has already refused versions
    /// that were not offered. Must be called on the event loop. Throws if the connection is closed.
    func connection(of pool: OriginPool) throws -> PooledConnection {
        let speaksHTTP2 =
            pool.target.isSecure
            ? facts.applicationProtocol == HTTPVersions.http2Name : pool.configuration.httpVersions.assumesHTTP2
        return try speaksHTTP2 ? HTTP2Handler.connection(self, pool: pool) : HTTP1Handler.connection(self, pool: pool)
    }
}
