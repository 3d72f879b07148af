public import HTTPTypes
public import Logging
package import NIOCore

/// An HTTP/1.1 client that judges every server by its ``TransportConfiguration/trust``.
///
/// Connections are kept and reused. Redirects are not followed: a `3xx` is handed to the caller. No proxy is taken from
/// the environment unless asked for, bodies are not decompressed. A request is repeated, on a fresh connection, only where the pooled one
/// turns out to be closed before any byte of a response came, and only if repeating it is harmless: its method is
/// idempotent (RFC 9110, 9.2.2) and its body can be sent again, or nothing of it had been sent.
///
/// The client may be used from any thread; when the last reference goes, its connections are closed.
public final class HTTPClient: Sendable {
    /// What a client needs to know.
    public typealias Configuration = TransportConfiguration

    /// How much of a streamed response may wait for its reader before reading from the socket pauses.
    private static let highWater = 256 * 1024

    private let core: ClientCore

    /// Makes a client. Opens nothing.
    ///
    /// - Parameters:
    ///   - configuration: What the client needs to know. It is copied.
    ///   - logger: Where connections are logged, at `debug`; a refused server at `warning`. No header, body or
    ///     credential is logged.
    public convenience init(configuration: Configuration = Configuration(), logger: Logger? = nil) {
        self.init(configuration: configuration, connector: SocketConnector(), logger: logger)
    }

    package init(
        configuration: Configuration, connector: any Connector,
        loops: any EventLoopGroup = NetworkDialler.eventLoops, logger: Logger? = nil
    ) {
        self.core = ClientCore(
            configuration: configuration,
            dialler: NetworkDialler(configuration: configuration, connector: connector, logger: logger), loops: loops)
    }

    deinit {
        core.shutDown()
    }

    /// The open connections, oldest first.
    package var live: [ConnectionLedger.Entry] { core.dialler.live }

    /// How many requests stand in the queues for a connection.
    package var waitingCount: Int { core.waitingCount }

    /// Sends a request and collects the response's body in memory.
    ///
    /// - Parameters:
    ///   - request: An absolute `http` or `https` request. The client sets `Host`, `Content-Length` and `Transfer-Encoding`.
    ///   - body: The request's body.
    ///   - limit: The most bytes of body to take; more fails with
    ///     ``TransportError/Code-swift.struct/responseTooLarge``.
    ///   - options: Time-outs and progress.
    /// - Throws: ``TransportError``, or what the closure of a streamed body throws.
    public func collect(
        _ request: HTTPRequest, body: HTTPBody? = nil, upTo limit: Int, options: RequestOptions = RequestOptions()
    ) async throws -> CollectedResponse {
        let (exchange, pool) = try await prepare(
            request, body: body, options: options, sink: .collect(limit: max(0, limit)))
        let answer: Exchange.Answer
        if case .stream(_, let produce)? = body?.source {
            async let _: Void = exchange.upload(produce)
            answer = try await exchange.answer(from: pool)
        } else {
            answer = try await exchange.answer(from: pool)
        }
        return CollectedResponse(
            response: answer.response, body: answer.body, trailers: answer.trailers, facts: answer.facts)
    }

    /// Sends a request and hands the response to `handle`, whose body is read part by part.
    ///
    /// When `handle` returns before the body's end the connection is closed, not drained.
    /// - Throws: ``TransportError``, or what `handle` or the closure of a streamed body throws.
    public nonisolated(nonsending) func execute<R: Sendable>(
        _ request: HTTPRequest, body: HTTPBody? = nil, options: RequestOptions = RequestOptions(),
        handle: (HTTPResponse, inout HTTPBodyReader) async throws -> R
    ) async throws -> R {
        let (exchange, pool) = try await prepare(
            request, body: body, options: options, sink: .stream(highWater: Self.highWater))
        defer { exchange.abandon() }
        if case .stream(_, let produce)? = body?.source {
            async let _: Void = exchange.upload(produce)
            return try await Self.run(exchange, pool, handle)
        }
        return try await Self.run(exchange, pool, handle)
    }

    /// Closes idle connections, fails requests that wait and those under way with
    /// ``TransportError/Code-swift.struct/shutDown``, and returns when every connection is closed. Later requests fail. Calling it again is
    /// harmless.
    public func shutdown() async {
        for pool in core.shutDown() {
            await pool.whenEmpty()
        }
    }

    private nonisolated(nonsending) static func run<R: Sendable>(
        _ exchange: Exchange, _ pool: OriginPool,
        _ handle: (HTTPResponse, inout HTTPBodyReader) async throws -> R
    ) async throws -> R {
        let answer = try await exchange.answer(from: pool)
        var reader = HTTPBodyReader(exchange, facts: answer.facts)
        return try await handle(answer.response, &reader)
    }

    private nonisolated(nonsending) func prepare(
        _ request: HTTPRequest, body: HTTPBody?, options: RequestOptions, sink: ExchangeMachine.Sink
    ) async throws(TransportError) -> (Exchange, OriginPool) {
        let prepared = try PreparedRequest(request, body: try await body?.prepare() ?? .absent)
        // No request goes out on a connection that the policy now in force has not seen.
        await core.dialler.judgeAgainIfNeeded()
        let pool = try core.pool(for: prepared.target)
        return (Exchange(request: prepared, options: options, sink: sink, now: pool.now), pool)
    }
}
