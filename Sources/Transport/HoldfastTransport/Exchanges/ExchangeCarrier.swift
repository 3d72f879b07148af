/// What carries an exchange: a connection of HTTP/1.1, or a stream of HTTP/2. Confined to its event loop.
protocol ExchangeCarrier: AnyObject {
    /// The reader has room again.
    func resumeReading(_ exchange: Exchange)

    /// The closure that writes the body has offered a part, or has ended.
    func bodyReady(_ exchange: Exchange)

    /// The exchange is over on the caller's side: nothing more is sent or read for it.
    func abort(_ exchange: Exchange)
}
