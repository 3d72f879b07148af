/// How bad the way to every client is, until it is changed.
package struct NetworkConditions: Hashable, Sendable {
    /// Nanoseconds that every frame and every answer from the server takes longer. Frames keep their order.
    package var latency: Int64
    /// Of a hundred frames, in either direction, so many are lost. Answers over HTTP are not.
    package var lossPercent: Int64
    /// Of a hundred pushes, so many are sent twice.
    package var duplicatePercent: Int64

    package init(latency: Int64 = 0, lossPercent: Int64 = 0, duplicatePercent: Int64 = 0) {
        self.latency = max(0, latency)
        self.lossPercent = min(max(0, lossPercent), 100)
        self.duplicatePercent = min(max(0, duplicatePercent), 100)
    }

    /// Nothing is wrong.
    package static let perfect = NetworkConditions()
}
