import NIOCore

/// An open HTTP/1.1 connection, as the rest of the client sees it. Called from any thread.
final class HTTP1Connection: PooledConnection, ExchangeCarrier {
    let id: ConnectionID
    var initialStreams: Int? { nil }
    private let channel: any Channel
    private let handler: NIOLoopBound<HTTP1Handler>

    /// Puts HTTP into the pipeline of a fresh connection. Called on its event loop. Throws if it is closed already.
    init(_ dialled: Dialled, pool: OriginPool) throws {
        let handler = HTTP1Handler(pool: pool, facts: dialled.facts)
        self.id = dialled.id
        self.channel = dialled.channel
        self.handler = NIOLoopBound(handler, eventLoop: dialled.channel.eventLoop)
        try dialled.channel.pipeline.syncOperations.addHandler(handler)
        // The handler would not hear of an end that is already past.
        guard dialled.channel.isActive else { throw ChannelError.eof }
        handler.connection = self
    }

    /// Carries an exchange. One at a time.
    func run(_ exchange: Exchange) {
        onLoop { $0.start(exchange) }
    }

    /// Is idle for the first time.
    func park() {
        onLoop { $0.park() }
    }

    /// The reader has room again.
    func resumeReading(_ exchange: Exchange) {
        onLoop { $0.resumeReading(exchange) }
    }

    /// The closure that writes the body has offered a part, or has ended.
    func bodyReady(_ exchange: Exchange) {
        onLoop { $0.bodyReady(exchange) }
    }

    /// The exchange has failed on the caller's side: the connection cannot be used again.
    func abort(_ exchange: Exchange) {
        onLoop { $0.abort(exchange) }
    }

    /// Fails whatever is under way, and closes.
    func fail(_ error: TransportError) {
        onLoop { $0.fail(error) }
    }

    /// Closes, with a farewell at the TLS layer.
    func close() {
        onLoop { $0.close() }
    }

    private func onLoop(_ action: @escaping @Sendable (HTTP1Handler) -> Void) {
        if channel.eventLoop.inEventLoop {
            action(handler.value)
        } else {
            let handler = self.handler
            channel.eventLoop.execute { action(handler.value) }
        }
    }
}
