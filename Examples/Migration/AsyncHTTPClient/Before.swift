import AsyncHTTPClient
import NIOSSL

/// A client of a shop. It trusts only the authorities in a file, because async-http-client has no pins.
struct ShopClient {
    private let client: HTTPClient

    init(authorities: String) {
        var tls = TLSConfiguration.makeClientConfiguration()
        tls.minimumTLSVersion = .tlsv12
        tls.trustRoots = .file(authorities)
        let configuration = HTTPClient.Configuration(tlsConfiguration: tls, redirectConfiguration: .disallow)
        client = HTTPClient(eventLoopGroupProvider: .singleton, configuration: configuration)
    }

    func status(of path: String, at authority: String) async throws -> Int {
        let request = HTTPClientRequest(url: "https://\(authority)\(path)")
        let answer = try await client.execute(request, timeout: .seconds(20))
        _ = try await answer.body.collect(upTo: 1 << 20)
        return Int(answer.status.code)
    }

    func shutdown() async throws {
        try await client.shutdown()
    }
}
