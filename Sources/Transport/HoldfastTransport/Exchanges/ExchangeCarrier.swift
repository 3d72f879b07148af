/// The carrier of an exchange: an HTTP/1.1 connection or an HTTP/2 stream. Confined to its event loop.
protocol ExchangeCarrier: AnyObject {
    /// Resumes reading, because the reader has room again.
    func resumeReading(_ exchange: Exchange)

    /// Continues sending: the closure that writes the body offered a part, or ended.
    func bodyReady(_ exchange: Exchange)

    /// Stops sending and reading for an exchange that the caller ended.
    func abort(_ exchange: Exchange)
}
