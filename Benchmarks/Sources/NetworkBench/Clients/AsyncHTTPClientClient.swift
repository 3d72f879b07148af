import AsyncHTTPClient
import BenchSupport
import NIOCore
import NIOSSL

/// async-http-client with the default verification and without pins.
struct AsyncHTTPClientClient: Client {
    let name = "async-http-client"
    private let root: NIOSSLCertificate

    init(_ site: NetworkSite) throws {
        root = try NIOSSLCertificate(bytes: site.authority.root.certificateDER, format: .der)
    }

    func page(_ page: Page, _ version: HTTPVersion, at address: Address) async throws -> Double {
        let start = ContinuousClock.now
        let client = client(version)
        let bytes = try await withThrowingTaskGroup(of: Int.self) { group in
            for size in page.sizes {
                group.addTask {
                    let response = try await client.execute(request("/\(size)", address), deadline: deadline)
                    return try await response.body.collect(upTo: 1 << 20).readableBytes
                }
            }
            return try await group.reduce(0, +)
        }
        let milliseconds = (ContinuousClock.now - start).milliseconds
        try await client.shutdown()
        guard bytes == page.bytes else { throw WrongResponse(client: name, what: "\(bytes) bytes of a page") }
        return milliseconds
    }

    func firstByte(at address: Address) async throws -> Double {
        let start = ContinuousClock.now
        let client = client(.http1)
        let response = try await client.execute(request("/1000", address), deadline: deadline)
        let milliseconds = (ContinuousClock.now - start).milliseconds
        _ = try await response.body.collect(upTo: 1 << 20)
        try await client.shutdown()
        return milliseconds
    }

    func upload(_ file: UploadedFile, at address: Address, through relay: Relay) async throws -> Upload {
        try await relay.planCut(after: file.bytes.count / 2, isReleased: true)
        var request = request("/upload", address)
        request.method = .PUT
        request.body = .bytes(ByteBuffer(bytes: file.bytes))
        let start = ContinuousClock.now
        let client = client(.http1)
        var attempts = 1
        while true {
            do {
                let response = try await client.execute(request, deadline: deadline)
                let body = try await response.body.collect(upTo: 1 << 20)
                let milliseconds = (ContinuousClock.now - start).milliseconds
                try await client.shutdown()
                return Upload(milliseconds: milliseconds, hash: String(buffer: body))
            } catch {
                attempts += 1
                guard attempts <= 3 else {
                    try? await client.shutdown()
                    throw error
                }
                try await Task.sleep(for: waitBeforeRetry)
            }
        }
    }

    private var deadline: NIODeadline { .now() + .minutes(10) }

    private func client(_ version: HTTPVersion) -> HTTPClient {
        var tls = TLSConfiguration.makeClientConfiguration()
        tls.trustRoots = .certificates([root])
        var configuration = HTTPClient.Configuration(
            tlsConfiguration: tls, redirectConfiguration: .follow(max: 10, allowCycles: false),
            timeout: .init(connect: .seconds(30)),
            connectionPool: .init(
                idleTimeout: .seconds(60), concurrentHTTP1ConnectionsPerHostSoftLimit: connectionsOfHTTP1),
            decompression: .enabled(limit: .ratio(200)))
        configuration.dnsOverride = [NetworkSite.host: "127.0.0.1"]
        configuration.httpVersion = version == .http1 ? .http1Only : .automatic
        return HTTPClient(eventLoopGroupProvider: .singleton, configuration: configuration)
    }

    private func request(_ path: String, _ address: Address) -> HTTPClientRequest {
        var request = HTTPClientRequest(url: address.origin + path)
        request.headers.add(name: "User-Agent", value: "bench")
        return request
    }
}
