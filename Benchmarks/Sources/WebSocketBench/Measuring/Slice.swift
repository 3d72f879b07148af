/// The results of one contestant in one round.
struct Slice: Hashable, Sendable, Codable {
    /// The number of messages that came back.
    var messages: Int
    /// The wall-clock time in seconds.
    var seconds: Double
    /// The processor time of the compared end, in microseconds.
    var cpu: Double
    /// The median and the 99th percentile of the round trips, in microseconds; `nil` for the flood load.
    var p50: Double?
    var p99: Double?

    init(messages: Int, seconds: Double, cpu: Double, p50: Double?, p99: Double?) {
        self.messages = messages
        self.seconds = seconds
        self.cpu = cpu
        self.p50 = p50
        self.p99 = p99
    }

    init(_ tally: Tally, seconds: Double, cpu: Double) {
        let sorted = tally.roundTrips.sorted()
        func percentile(_ part: Double) -> Double? {
            sorted.isEmpty ? nil : Double(sorted[min(sorted.count - 1, Int(Double(sorted.count) * part))]) / 1e3
        }
        self.init(
            messages: tally.messages, seconds: seconds, cpu: cpu, p50: percentile(0.5), p99: percentile(0.99))
    }

    var messagesPerSecond: Double { Double(messages) / seconds }
    var cpuPerMessage: Double { cpu / Double(max(1, messages)) }
}
