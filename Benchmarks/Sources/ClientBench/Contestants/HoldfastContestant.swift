import HTTPTypes
import HoldfastTransport
import HoldfastTrust

/// Holdfast with a typical configuration: a policy with pins, redirects, decompression and both timeouts.
struct HoldfastContestant: Contestant {
    private let client: HTTPClient
    private let request: HTTPRequest
    private let options: RequestOptions

    init(_ scenario: Scenario, _ site: Site, path: String) throws {
        let host = try CanonicalHost(Site.host)
        guard let key = SPKIDigest(bytes: site.intermediateKey) else { throw Site.Malformed() }
        let pins = PinSet([Pin(key), Pin(SPKIDigest(hashing: [1]))])
        let policy = try PinningPolicy(name: "benchmark", rules: [PinningRule(host: host, pins: pins)])
        var configuration = TransportConfiguration(
            trust: .policy(policy, anchors: .only([try CertificateView(der: site.root)])),
            keepAlive: scenario.isFresh ? .zero : .seconds(300), maximumConnectionsPerHost: scenario.connections,
            hostOverrides: [Site.host: "127.0.0.1"])
        configuration.httpVersions = scenario.version == .http1 ? .http1Only : .http2Only
        if scenario.spread > 1 {
            // Each connection takes its share of the requests before another one is opened.
            configuration.http2Distribution = .leastLoaded(
                loadFactor: Double(scenario.concurrency) / Double(scenario.spread * BenchServer.streams),
                connections: scenario.spread)
        }
        configuration.limits.connections = max(256, scenario.connections)
        self.client = HTTPClient(configuration: configuration)
        self.request = HTTPRequest(
            method: .get, scheme: scenario.isSecure ? "https" : "http",
            authority: "\(Site.host):\(site.port(scenario))",
            path: path, headerFields: [.userAgent: "bench"])
        self.options = RequestOptions(
            idleTimeout: .seconds(30), totalTimeout: .seconds(60), redirects: .follow(), decompression: .on())
    }

    func get() async throws -> Int {
        try await client.collect(request, upTo: 8 << 20, options: options).body.count
    }

    func shutDown() async {
        await client.shutdown()
    }
}
