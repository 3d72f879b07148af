import Metrics
import Synchronization

/// A metrics backend that counts, so that the cost of reporting metrics is realistic.
final class CountingMetrics: MetricsFactory {
    private final class Handler: CounterHandler, MeterHandler, RecorderHandler, TimerHandler {
        private let count = Atomic<Int64>(0)
        private let sum = Atomic<Int64>(0)

        func increment(by amount: Int64) { add(amount) }
        func reset() { sum.store(0, ordering: .relaxed) }
        func set(_ value: Int64) { sum.store(value, ordering: .relaxed) }
        func set(_ value: Double) { sum.store(Int64(value), ordering: .relaxed) }
        func increment(by amount: Double) { add(Int64(amount)) }
        func decrement(by amount: Double) { add(-Int64(amount)) }
        func record(_ value: Int64) { add(value) }
        func record(_ value: Double) { add(Int64(value)) }
        func recordNanoseconds(_ duration: Int64) { add(duration) }

        private func add(_ amount: Int64) {
            count.wrappingAdd(1, ordering: .relaxed)
            sum.wrappingAdd(amount, ordering: .relaxed)
        }
    }

    private struct Key: Hashable {
        var label: String
        var dimensions: [String]
    }

    private let handlers = Mutex<[Key: Handler]>([:])

    /// Installs a backend for the process.
    static func install() {
        MetricsSystem.bootstrap(CountingMetrics())
    }

    func makeCounter(label: String, dimensions: [(String, String)]) -> any CounterHandler { handler(label, dimensions) }
    func makeMeter(label: String, dimensions: [(String, String)]) -> any MeterHandler { handler(label, dimensions) }
    func makeRecorder(label: String, dimensions: [(String, String)], aggregate: Bool) -> any RecorderHandler {
        handler(label, dimensions)
    }
    func makeTimer(label: String, dimensions: [(String, String)]) -> any TimerHandler { handler(label, dimensions) }

    func destroyCounter(_ handler: any CounterHandler) {}
    func destroyMeter(_ handler: any MeterHandler) {}
    func destroyRecorder(_ handler: any RecorderHandler) {}
    func destroyTimer(_ handler: any TimerHandler) {}

    private func handler(_ label: String, _ dimensions: [(String, String)]) -> Handler {
        let key = Key(label: label, dimensions: dimensions.flatMap { [$0, $1] })
        return handlers.withLock { handlers in
            if let known = handlers[key] { return known }
            let handler = Handler()
            handlers[key] = handler
            return handler
        }
    }
}
