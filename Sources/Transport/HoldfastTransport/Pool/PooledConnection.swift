/// An open connection as its ``OriginPool`` sees it, whatever version of HTTP it speaks. Called from any thread.
protocol PooledConnection: AnyObject, Sendable {
    var id: ConnectionID { get }

    /// How many exchanges it carries at a time at most, until the server says how many it allows; `nil`: one, whatever the server says.
    var initialStreams: Int? { get }

    /// Carries an exchange that the pool has given it.
    func run(_ exchange: Exchange)

    /// Is idle for the first time.
    func park()

    /// Closes, with a farewell at the TLS layer.
    func close()

    /// Fails whatever is under way, and closes.
    func fail(_ error: TransportError)
}

extension Dialled {
    /// Puts HTTP into the pipeline of a fresh connection: the version that was chosen, since the dialler has refused whatever was not
    /// offered. Called on its event loop. Throws if it is closed already.
    func connection(of pool: OriginPool) throws -> any PooledConnection {
        let speaksHTTP2 =
            pool.target.isSecure
            ? facts.applicationProtocol == HTTPVersions.http2Name : pool.configuration.httpVersions.assumesHTTP2
        return try speaksHTTP2 ? HTTP2Connection(self, pool: pool) : HTTP1Connection(self, pool: pool)
    }
}
