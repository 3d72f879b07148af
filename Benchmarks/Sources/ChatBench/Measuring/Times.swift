import BenchSupport

/// The durations of several calls, in microseconds.
struct Times: Codable, Sendable {
    var wall: [Double] = []
    /// The processor time of the calling thread.
    var processor: [Double] = []

    mutating func measure<Value>(_ body: () throws -> Value) rethrows -> Value {
        let processorBefore = ProcessorTime.ofThread()
        let start = ContinuousClock.now
        let value = try body()
        wall.append((ContinuousClock.now - start).microseconds)
        processor.append(ProcessorTime.ofThread() - processorBefore)
        return value
    }

    var p50: Double { wall.percentile(0.5) }
    var p99: Double { wall.percentile(0.99) }
}
