/// An open connection as its ``OriginPool`` sees it, whatever version of HTTP it speaks. Called from any thread.
protocol PooledConnection: AnyObject, Sendable {
    var id: ConnectionID { get }

    /// Carries an exchange that the pool has given it.
    func run(_ exchange: Exchange)

    /// Is idle for the first time.
    func park()

    /// Closes, with a farewell at the TLS layer.
    func close()

    /// Fails whatever is under way, and closes.
    func fail(_ error: TransportError)
}
