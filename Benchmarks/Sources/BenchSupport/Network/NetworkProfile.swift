/// The properties of a simulated network, the same in both directions.
package struct NetworkProfile: Codable, Hashable, Sendable {
    /// A network that forwards everything at once.
    package static let unlimited = NetworkProfile()

    /// The time from sending a byte until the response to it can arrive.
    package var roundTrip: Duration
    /// The bytes per second in each direction, shared by all connections; `nil` for no limit.
    package var rate: Int?
    /// The maximum number of bytes that wait for the link in each direction, like the queue of a router. Senders wait
    /// while it is full: the relay does not drop packets.
    package var queue: Int
    /// The bytes that a new connection may send before the first acknowledgement, as in TCP's slow start; `nil` for no
    /// limit. Each acknowledgement adds the acknowledged bytes.
    package var initialWindow: Int?

    package init(roundTrip: Duration = .zero, rate: Int? = nil, queue: Int = .max, initialWindow: Int? = nil) {
        self.roundTrip = roundTrip
        self.rate = rate
        self.queue = queue
        self.initialWindow = initialWindow
    }

    /// Returns a network with slow start (RFC 6928: ten segments) and a queue of one round trip, but at least 32 KiB.
    package static func limited(roundTrip: Duration, rate: Int?) -> NetworkProfile {
        let product = Double(rate ?? 0) * (roundTrip / .seconds(1))
        return NetworkProfile(
            roundTrip: roundTrip, rate: rate, queue: max(32 * 1024, Int(product)),
            initialWindow: 10 * NetworkLink.segment)
    }
}
