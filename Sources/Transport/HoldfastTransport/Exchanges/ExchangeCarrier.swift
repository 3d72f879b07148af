/// What carries an exchange: a connection of HTTP/1.1, or a stream of HTTP/2. Called from any thread.
protocol ExchangeCarrier: AnyObject, Sendable {
    /// The reader has room again.
    func resumeReading(_ exchange: Exchange)

    /// The closure that writes the body has offered a part, or has ended.
    func bodyReady(_ exchange: Exchange)

    /// The exchange has failed on the caller's side: nothing more is sent or read for it.
    func abort(_ exchange: Exchange)
}
