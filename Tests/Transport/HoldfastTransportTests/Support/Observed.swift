import HoldfastTestSupport
import HoldfastTransport
import InMemoryTracing
import Metrics
import MetricsTestKit
import Tracing

/// Where a test's client reports to: nothing of it is the process's own, so that tests can run side by side.
struct Observed: Sendable {
    let metrics = TestMetrics()
    let tracer = InMemoryTracer()
    let log = RecordingLogHandler()

    /// The same configuration, which reports here.
    func watching(_ configuration: TransportConfiguration) -> TransportConfiguration {
        var configuration = configuration
        configuration.metrics = metrics
        configuration.tracer = tracer
        return configuration
    }

    /// A client that reports here.
    func client(_ configuration: TransportConfiguration) -> HTTPClient {
        HTTPClient(configuration: watching(configuration), logger: log.logger())
    }

    // MARK: Metrics

    /// How often a timer with these labels was recorded.
    func count(_ timer: String, _ labels: [(String, String)] = []) -> Int {
        metrics.timers(label: timer, dimensions: labels).map(\.values.count).reduce(0, +)
    }

    /// What a counter with these labels has come to.
    func total(_ counter: String, _ labels: [(String, String)] = []) -> Int64 {
        metrics.counterTotal(label: counter, dimensions: labels)
    }

    /// Returns when a counter has counted.
    func untilCounted(_ counter: String) async {
        while total(counter) == 0, !Task.isCancelled { await Task.yield() }
    }

    /// Where a meter stands.
    func level(_ meter: String) -> Double {
        metrics.meters(label: meter).compactMap(\.lastValue).reduce(0, +)
    }

    // MARK: Spans

    /// The finished spans of that name, in the order of their ends.
    func spans(_ name: String) -> [FinishedInMemorySpan] {
        tracer.finishedSpans.filter { $0.operationName == name }
    }
}

extension FinishedInMemorySpan {
    /// The value of an attribute, as text.
    func value(_ name: String) -> String? {
        switch attributes.get(name) {
        case .string(let text): text
        case .int32(let number): "\(number)"
        case .int64(let number): "\(number)"
        case .bool(let isTrue): "\(isTrue)"
        default: nil
        }
    }

    /// The names of all attributes.
    var names: Set<String> {
        var names: Set<String> = []
        attributes.forEach { name, _ in names.insert(name) }
        return names
    }
}
