/// The simulated network conditions for every client.
package struct NetworkConditions: Hashable, Sendable {
    /// The additional latency of every frame and every answer from the server, in nanoseconds. The order is kept.
    package var latency: Int64
    /// The percentage of lost frames, in both directions. HTTP answers are not lost.
    package var lossPercent: Int64
    /// The percentage of pushes that are sent twice.
    package var duplicatePercent: Int64

    package init(latency: Int64 = 0, lossPercent: Int64 = 0, duplicatePercent: Int64 = 0) {
        self.latency = max(0, latency)
        self.lossPercent = min(max(0, lossPercent), 100)
        self.duplicatePercent = min(max(0, duplicatePercent), 100)
    }

    /// A network without faults.
    package static let perfect = NetworkConditions()
}
