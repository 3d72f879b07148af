import Foundation
import HoldfastTransport
import HoldfastTrust
import Logging
import Metrics
import Tracing

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// The samples of docs/observability.md.
struct ObservabilitySnippets {
    func sample1(policy: PinningPolicy, factory: any MetricsFactory, tracer: any Tracer, logger: Logger) async throws {
        var configuration = TransportConfiguration(trust: .policy(policy))
        configuration.metrics = factory   // by default MetricsSystem.factory, as it is when the client is made
        configuration.tracer = tracer     // by default InstrumentationSystem.tracer, as it is when the client is made
        let client = HTTPClient(configuration: configuration, logger: logger)
    }
}
