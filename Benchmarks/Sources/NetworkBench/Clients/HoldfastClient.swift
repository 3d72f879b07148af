import BenchSupport
import Foundation
import HTTPTypes
import HoldfastTransport
import HoldfastTrust

/// Holdfast's client with pins.
struct HoldfastClient: Client {
    let name = "Holdfast"
    private let trust: TrustContext

    init(_ site: NetworkSite) throws {
        let pins = PinSet([Pin(site.authority.intermediate.view.spkiDigest), Pin(SPKIDigest(hashing: [1]))])
        let policy = try PinningPolicy(
            name: "benchmark", rules: [PinningRule(host: try CanonicalHost(NetworkSite.host), pins: pins)])
        trust = .policy(policy, anchors: .only([try CertificateView(der: site.authority.root.certificateDER)]))
    }

    func page(_ page: Page, _ version: HTTPVersion, at address: Address) async throws -> Double {
        let start = ContinuousClock.now
        let client = client(version)
        let bytes = try await withThrowingTaskGroup(of: Int.self) { group in
            for size in page.sizes {
                group.addTask {
                    try await client.collect(
                        request(.get, "/\(size)", address), upTo: 1 << 20,
                        options: RequestOptions(redirects: .follow(), decompression: .on())
                    ).body.count
                }
            }
            return try await group.reduce(0, +)
        }
        let milliseconds = (ContinuousClock.now - start).milliseconds
        await client.shutdown()
        guard bytes == page.bytes else { throw WrongResponse(client: name, what: "\(bytes) bytes of a page") }
        return milliseconds
    }

    func firstByte(at address: Address) async throws -> Double {
        let start = ContinuousClock.now
        let client = client(.http1)
        let milliseconds = try await client.execute(request(.get, "/1000", address)) { _, body in
            let milliseconds = (ContinuousClock.now - start).milliseconds
            while try await body.next() != nil {}
            return milliseconds
        }
        await client.shutdown()
        return milliseconds
    }

    func upload(_ file: UploadedFile, at address: Address, through relay: Relay) async throws -> Upload {
        try await relay.planCut(after: file.bytes.count / 2, isReleased: false)
        let start = ContinuousClock.now
        let client = client(.http1)
        let options = ResumableUploadOptions(
            totalTimeout: nil, fallback: .plain, retry: TransferRetry(firstDelay: waitBeforeRetry),
            // The protocol can resume an upload after the client has its URL.
            onToken: { _ in relay.releaseCut() })
        let result = try await client.uploadResumably(
            request(.put, "/upload", address), from: file.url.path, options: options)
        let milliseconds = (ContinuousClock.now - start).milliseconds
        await client.shutdown()
        guard result.wasResumable, result.attempts == 2, let answer = result.answer else {
            throw WrongResponse(client: name, what: "an upload with \(result.attempts) attempts was not resumed once")
        }
        return Upload(milliseconds: milliseconds, hash: String(decoding: answer.body, as: UTF8.self))
    }

    private func client(_ version: HTTPVersion) -> HTTPClient {
        var configuration = TransportConfiguration(
            trust: trust, maximumConnectionsPerHost: connectionsOfHTTP1,
            hostOverrides: [NetworkSite.host: "127.0.0.1"])
        configuration.httpVersions = version == .http1 ? .http1Only : .http2Only
        return HTTPClient(configuration: configuration)
    }

    private func request(_ method: HTTPRequest.Method, _ path: String, _ address: Address) -> HTTPRequest {
        HTTPRequest(
            method: method, scheme: "https", authority: "\(NetworkSite.host):\(address.port)", path: path,
            headerFields: [.userAgent: "bench"])
    }
}
