import NIOCore

/// What carries the exchanges of an open connection, whatever version of HTTP it speaks. Confined to its event loop.
protocol ConnectionHandler: AnyObject {
    /// Carries an exchange that the pool has given it.
    func start(_ exchange: Exchange)

    /// Waits for the next exchange.
    func park()

    /// Closes, with a farewell at the TLS layer.
    func close()

    /// Fails whatever is under way, and closes.
    func fail(_ error: TransportError)
}

/// A handler on an event loop, for calls from any thread.
struct LoopHandle<Handler>: Sendable {
    private let loop: any EventLoop
    private let handler: NIOLoopBound<Handler>

    /// Called on the event loop.
    init(_ handler: Handler, on loop: any EventLoop) {
        self.loop = loop
        self.handler = NIOLoopBound(handler, eventLoop: loop)
    }

    /// Calls the handler: at once on its event loop, later from another thread.
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
    /// How many exchanges it carries at a time at most, until the server says how many it allows; `nil`: one, whatever the server says.
    let initialStreams: Int?
    /// What carries its exchanges.
    let handler: LoopHandle<any ConnectionHandler>

    /// Called on the event loop.
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
    /// Puts HTTP into the pipeline of a fresh connection: the version that was chosen, since the dialler has refused whatever was not
    /// offered. Called on its event loop. Throws if it is closed already.
    func connection(of pool: OriginPool) throws -> PooledConnection {
        let speaksHTTP2 =
            pool.target.isSecure
            ? facts.applicationProtocol == HTTPVersions.http2Name : pool.configuration.httpVersions.assumesHTTP2
        return try speaksHTTP2 ? HTTP2Handler.connection(self, pool: pool) : HTTP1Handler.connection(self, pool: pool)
    }
}
