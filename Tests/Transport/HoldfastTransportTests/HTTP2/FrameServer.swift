import HTTPTypes
import HoldfastTransport
import HoldfastTransportTestSupport
import Testing

/// Servers that respond frame by frame, and clients that use HTTP/2 without negotiation.
enum FrameServer {
    /// Runs `body` with a server that sends the frames of `answer` when a request is complete. `answer` gets the
    /// numbers of the connection, the stream and the request.
    static func with<R: Sendable>(
        first: [RawHTTP2Frame] = [.settings(), .settingsAck],
        _ answer: @escaping @Sendable (_ connection: Int, _ stream: UInt32) -> [RawHTTP2Frame],
        _ body: @Sendable (ScriptedServer) async throws -> R
    ) async throws -> R {
        try await withFrames(first: first, { $1.endsStream ? answer($0, $1.stream) : [] }, body)
    }

    /// Runs `body` with a server that sends frames in response to a received frame.
    static func withFrames<R: Sendable>(
        first: [RawHTTP2Frame] = [.settings(), .settingsAck],
        _ onFrame: @escaping @Sendable (_ connection: Int, _ frame: RawHTTP2Frame) -> [RawHTTP2Frame],
        _ body: @Sendable (ScriptedServer) async throws -> R
    ) async throws -> R {
        var settings = ScriptedServer.Settings(version: .http2)
        settings.firstFrames = first
        settings.onFrame = onFrame
        return try await ScriptedServer.with(settings, body)
    }

    /// A complete response.
    static func ok(_ stream: UInt32, _ text: String = "ok") -> [RawHTTP2Frame] {
        [.head(stream, [(":status", "200")]), .data(stream, Array(text.utf8), ends: true)]
    }

    /// A client without TLS that uses HTTP/2.
    static func client(_ change: (inout TransportConfiguration) -> Void = { _ in }) -> HTTPClient {
        var configuration = TransportConfiguration.plain(.http2)
        change(&configuration)
        return HTTPClient(configuration: configuration)
    }

    /// The response to a GET.
    static func get(_ client: HTTPClient, _ port: UInt16, _ path: String = "/") async throws -> String {
        try await client.collect(.plain(port: port, path: path), upTo: 99).text
    }

    /// The response to a POST.
    static func post(_ client: HTTPClient, _ port: UInt16, _ body: HTTPBody = .bytes([1])) async throws -> String {
        try await client.collect(.plain(.post, port: port), body: body, upTo: 99).text
    }

    /// Expects a response.
    static func expect(_ expected: String, _ body: () async throws -> String) async throws {
        let text = try await body()
        #expect(text == expected)
    }
}
