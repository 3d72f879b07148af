import Foundation
import HTTPTypes
import HoldfastNetworking
import HoldfastTransport
import HoldfastTrust
import HoldfastWebSocket
import Testing

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// A public way to get a text from a server.
struct Surface: Sendable, CustomTestStringConvertible {
    var name: String
    /// Gets the text from a host and port.
    var fetch: @Sendable (_ authority: String, _ configuration: TransportConfiguration) async throws -> String

    var testDescription: String { name }

    init(
        _ name: String, fetch: @escaping @Sendable (String, TransportConfiguration) async throws -> String
    ) {
        self.name = name
        self.fetch = fetch
    }

    /// The surfaces that use HTTP. A download makes one attempt, so that its error describes one connection.
    static var http: [Surface] { requests + transfers + services + sessions }

    private static let requests: [Surface] = [
        Surface("HTTPClient.collect") {
            let response = try await HTTPClient(configuration: $1).collect(request($0), upTo: limit, options: options)
            return String(decoding: response.body, as: UTF8.self)
        },
        Surface("HTTPClient.execute") {
            try await HTTPClient(configuration: $1).execute(request($0), options: options) { _, body in
                var bytes: [UInt8] = []
                while let part = try await body.next() { bytes += part }
                return String(decoding: bytes, as: UTF8.self)
            }
        },
        Surface("HTTPClient.collect of a POST with a streamed body") {
            let body = HTTPBody.stream(length: nil) { try await $0.write(Array(repeating: 1, count: 5_000)) }
            let response = try await HTTPClient(configuration: $1).collect(
                request($0, .post), body: body, upTo: limit, options: options)
            return String(decoding: response.body, as: UTF8.self)
        },
    ]

    private static let transfers: [Surface] = [
        Surface("HTTPClient.download") { authority, configuration in
            try await TemporaryFolder.use { folder in
                let options = DownloadOptions(idleTimeout: idle, retry: .never)
                let path = folder.path("file")
                _ = try await HTTPClient(configuration: configuration).download(
                    request(authority), to: path, options: options)
                return try String(contentsOfFile: path, encoding: .utf8)
            }
        },
        Surface("HTTPClient.upload") { authority, configuration in
            try await TemporaryFolder.use { folder in
                let path = try folder.write(String(repeating: "u", count: 5_000), to: "file")
                let response = try await HTTPClient(configuration: configuration).upload(
                    request(authority, .put), from: path, options: UploadOptions(request: options))
                return String(decoding: response.body, as: UTF8.self)
            }
        },
    ]

    private static let services: [Surface] = [
        Surface("HTTPClientTransport") {
            let (data, _) = try await HTTPClientTransport(configuration: $1).data(
                for: URLRequest(url: address($0), timeoutInterval: 3))
            return String(decoding: data, as: UTF8.self)
        },
        Surface("HTTPNetworkService") { authority, configuration in
            let service = HTTPNetworkService(transport: HTTPClientTransport(configuration: configuration))
            let environment = DefaultAPIEnvironment(baseURL: try address(authority))
            let value: [String] = try await service.request(
                to: Endpoint(path: "x", method: .get), via: environment)
            return String(decoding: try JSONEncoder().encode(value), as: UTF8.self)
        },
    ]

    private static var sessions: [Surface] {
        #if canImport(FoundationNetworking)
        [
            Surface("URLSession(pinnedBy:)") { authority, configuration in
                let session = URLSession(
                    pinnedBy: configuration.trust, options: PinnedSessionOptions(transport: configuration))
                defer { session.invalidateAndCancel() }
                let (data, _) = try await session.data(for: URLRequest(url: address(authority), timeoutInterval: 3))
                return String(decoding: data, as: UTF8.self)
            }
        ]
        #else
        []
        #endif
    }

    private static let limit = 100_000
    private static let idle = Duration.seconds(3)
    private static let options = RequestOptions(idleTimeout: idle)

    private static func request(_ authority: String, _ method: HTTPRequest.Method = .get) -> HTTPRequest {
        HTTPRequest(method: method, scheme: "https", authority: authority, path: "/")
    }

    private static func address(_ authority: String) throws -> URL {
        try #require(URL(string: "https://\(authority)/"))
    }
}
