import AsyncHTTPClient
import NIOCore
import NIOSSL

/// async-http-client with the default verification and without pins. Redirects, decompression and both timeouts are set
/// as for Holdfast.
struct AsyncHTTPClientContestant: Contestant {
    private let client: HTTPClient
    private let url: String

    init(_ scenario: Scenario, _ site: Site, path: String) throws {
        var tls = TLSConfiguration.makeClientConfiguration()
        tls.trustRoots = .certificates([try NIOSSLCertificate(bytes: site.root, format: .der)])
        var configuration = HTTPClient.Configuration(
            tlsConfiguration: tls, redirectConfiguration: .follow(max: 10, allowCycles: false),
            timeout: .init(connect: .seconds(30), read: .seconds(30)),
            connectionPool: .init(
                idleTimeout: .seconds(300), concurrentHTTP1ConnectionsPerHostSoftLimit: scenario.connections),
            decompression: .enabled(limit: .ratio(200)))
        configuration.dnsOverride = [Site.host: "127.0.0.1"]
        configuration.httpVersion = scenario.version == .http1 ? .http1Only : .automatic
        if scenario.isFresh { configuration.maximumUsesPerConnection = 1 }
        self.client = HTTPClient(eventLoopGroupProvider: .singleton, configuration: configuration)
        self.url = site.origin(scenario) + path
    }

    func get() async throws -> Int {
        var request = HTTPClientRequest(url: url)
        request.headers.add(name: "User-Agent", value: "bench")
        let response = try await client.execute(request, deadline: .now() + .seconds(60))
        return try await response.body.collect(upTo: 8 << 20).readableBytes
    }

    func shutDown() async throws {
        try await client.shutdown()
    }
}
