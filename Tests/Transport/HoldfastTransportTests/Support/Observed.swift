import HoldfastTestSupport
import HoldfastTransport
import InMemoryTracing
import Metrics
import MetricsTestKit
import Tracing

/// The log, metrics and traces of a test's client. They are separate from the process's own, so that tests can run in
/// parallel.
struct Observed: Sendable {
    let metrics = TestMetrics()
    let tracer = InMemoryTracer()
    let log = RecordingLogHandler()

    /// Returns the configuration with this log, metrics and tracer.
    func watching(_ configuration: TransportConfiguration) -> TransportConfiguration {
        var configuration = configuration
        configuration.metrics = metrics
        configuration.tracer = tracer
        return configuration
    }

    /// Returns a client that reports here.
    func client(_ configuration: TransportConfiguration) -> HTTPClient {
        HTTPClient(configuration: watching(configuration), logger: log.logger())
    }

    // MARK: Metrics

    /// Returns how often a timer with these labels was recorded.
    func count(_ timer: String, _ labels: [(String, String)] = []) -> Int {
        metrics.timers(label: timer, dimensions: labels).map(\.values.count).reduce(0, +)
    }

    /// Returns the value of a counter with these labels.
    func total(_ counter: String, _ labels: [(String, String)] = []) -> Int64 {
        metrics.counterTotal(label: counter, dimensions: labels)
    }

    /// Returns when the counter has been incremented.
    func untilCounted(_ counter: String) async {
        while total(counter) == 0, !Task.isCancelled { await Task.yield() }
    }

    /// Returns the value of a meter.
    func level(_ meter: String) -> Double {
        metrics.meters(label: meter).compactMap(\.lastValue).reduce(0, +)
    }

    // MARK: Spans

    /// The finished spans with this name, in the order of their ends.
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
