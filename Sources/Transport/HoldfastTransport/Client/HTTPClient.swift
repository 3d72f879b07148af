public import HTTPTypes
import HoldfastNIO
public import Logging
package import NIOCore

/// An HTTP/1.1 and HTTP/2 client that verifies every server with its ``TransportConfiguration/trust``.
///
/// The client keeps and reuses connections. It follows redirects and decompresses bodies only if ``RequestOptions`` say
/// so. It uses the proxies of the environment only if the configuration asks for them.
///
/// The client repeats a request on a new connection only if a reused or idle connection was closed before the first
/// byte of a response. The repetition must also be safe: nothing of the request was sent, or its method is idempotent
/// (RFC 9110, 9.2.2) and its body can be sent again.
///
/// The client may be used from any thread. Its connections are closed when the last reference to it is released.
public final class HTTPClient: Sendable {
    /// The configuration of a client.
    public typealias Configuration = TransportConfiguration

    /// The number of bytes of a streamed response that may wait for the reader before the client stops reading the
    /// socket.
    private static let highWater = 256 * 1024

    let core: ClientCore

    /// Creates a client. No connection is opened.
    ///
    /// - Parameters:
    /// - configuration: The configuration. The client copies it.
    /// - logger: The logger for connections, which are logged at `debug`, and refused servers, at `warning`. No header,
    ///   body or credential is logged.
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
    package var live: [ConnectionLedger.Entry] { core.live }

    /// The number of requests that wait for a connection.
    package var waitingCount: Int { core.waitingCount }

    /// The number of hosts and ports that the client remembers.
    package var poolCount: Int { core.poolCount }

    /// The number of connections that can still be opened.
    package var freeConnections: Int { core.freeConnections }

    /// Sends a request and collects the response's body in memory.
    ///
    /// - Parameters:
    /// - request: An absolute `http` or `https` request. The client sets `Host`, `Content-Length` and
    ///   `Transfer-Encoding`.
    ///   - body: The request's body.
    /// - limit: The maximum size of the response body, in bytes. A larger body fails with
    ///   ``TransportError/Code-swift.struct/responseTooLarge``.
    /// - options: Timeouts and other options.
    /// - Throws: ``TransportError``, or the error that the closure of a streamed body throws.
    public func collect(
        _ request: HTTPRequest, body: HTTPBody? = nil, upTo limit: Int, options: RequestOptions = RequestOptions()
    ) async throws -> CollectedResponse {
        var chain = RedirectChain(request, policy: options.redirects)
        let deadline = deadline(options)
        let limit = max(0, limit)
        while true {
            // The same steps as in `observed`, but without a closure, because most requests take this path.
            let observation = core.instruments?.begin(chain, at: core.now)
            do {
                let (collected, response) = try await step(
                    &chain, body, upTo: limit, options: options, deadline: deadline, observation: observation)
                observation?.ended(response, at: core.now)
                if let collected { return collected }
            } catch {
                observation?.failed(error, at: core.now)
                throw error
            }
        }
    }

    /// Sends the request of a chain once. Returns `nil` if a redirect must be followed.
    private nonisolated(nonsending) func step(
        _ chain: inout RedirectChain, _ body: HTTPBody?, upTo limit: Int, options: RequestOptions,
        deadline: NIODeadline?, observation: RequestObservation?
    ) async throws -> (CollectedResponse?, HTTPResponse) {
        let sent = chain.keepsBody ? body : nil
        let (exchange, pool) = try await prepare(
            chain.request, body: sent, options: options, hasLeftOrigin: chain.hasLeftOrigin, deadline: deadline,
            sink: .collect(limit: Self.codedLimit(limit, options.decompression)), observation)
        let answer =
            if case .stream(_, let produce)? = sent?.source {
                try await exchange.answer(from: pool, uploading: produce)
            } else {
                try await exchange.answer(from: pool)
            }
        observation?.responded(answer.response, answer.facts)
        let request = chain.request
        if try chain.follow(answer.response, canRepeatBody: sent?.isReplayable ?? true) {
            return (nil, answer.response)
        }
        var collected = try CollectedResponse(answer, to: request.method, upTo: limit, options.decompression)
        collected.request = request
        collected.hasLeftOrigin = chain.hasLeftOrigin
        return (collected, answer.response)
    }

    /// Runs one step of a chain and reports its outcome to the observation. `body` returns the response, and the result
    /// if there is one.
    private nonisolated(nonsending) func observed<R>(
        _ chain: RedirectChain,
        _ body: nonisolated(nonsending) (RequestObservation?) async throws -> (R?, HTTPResponse)
    ) async throws -> R? {
        guard let observation = core.instruments?.begin(chain, at: core.now) else { return try await body(nil).0 }
        do {
            let (result, response) = try await body(observation)
            observation.ended(response, at: core.now)
            return result
        } catch {
            observation.failed(error, at: core.now)
            throw error
        }
    }

    /// Sends a request and passes the response to `handle`, which reads the body part by part.
    ///
    /// If `handle` returns before the end of the body, the client closes the connection instead of draining it. In
    /// HTTP/2 it resets only the stream.
    ///
    /// - Throws: ``TransportError``, or the error that `handle` or the closure of a streamed body throws.
    public nonisolated(nonsending) func execute<R: Sendable>(
        _ request: HTTPRequest, body: HTTPBody? = nil, options: RequestOptions = RequestOptions(),
        handle: (HTTPResponse, inout HTTPBodyReader) async throws -> R
    ) async throws -> R {
        var chain = RedirectChain(request, policy: options.redirects)
        let deadline = deadline(options)
        while true {
            let result = try await observed(chain) { observation in
                let sent = chain.keepsBody ? body : nil
                let (exchange, pool) = try await prepare(
                    chain.request, body: sent, options: options, hasLeftOrigin: chain.hasLeftOrigin, deadline: deadline,
                    sink: .stream(highWater: Self.highWater), observation)
                defer { exchange.cancel() }
                if case .stream(_, let produce)? = sent?.source {
                    return try await Self.run(exchange, pool, &chain, sent, observation, handle, uploading: produce)
                }
                return try await Self.run(exchange, pool, &chain, sent, observation, handle)
            }
            if let result { return result }
        }
    }

    /// Shuts the client down and returns when every connection is closed.
    ///
    /// Idle connections are closed at once. Waiting and later requests fail with
    /// ``TransportError/Code-swift.struct/shutDown``. Further calls have no effect.
    ///
    /// - Parameter gracePeriod: The time that requests in progress have to complete; zero by default. Requests that
    ///   exceed it fail with ``TransportError/Code-swift.struct/shutDown``. They also fail when the calling task is
    ///   cancelled.
    public func shutdown(gracePeriod: Duration = .zero) async {
        let pools = core.drain()
        let cut = { @Sendable in pools.forEach { $0.cut() } }
        if gracePeriod <= .zero { cut() }
        let timer = core.schedule(after: gracePeriod, cut)
        await withTaskCancellationHandler {
            for pool in pools { await pool.whenEmpty() }
        } onCancel: {
            cut()
        }
        timer.cancel()
    }

    /// Does the same as the next method while `produce` writes the body. See ``Exchange/answer(from:uploading:)``.
    private nonisolated(nonsending) static func run<R: Sendable>(
        _ exchange: Exchange, _ pool: OriginPool, _ chain: inout RedirectChain, _ body: HTTPBody?,
        _ observation: RequestObservation?, _ handle: (HTTPResponse, inout HTTPBodyReader) async throws -> R,
        uploading produce: @Sendable (HTTPBodyWriter) async throws -> Void
    ) async throws -> (R?, HTTPResponse) {
        async let _: Void = exchange.upload(produce)
        return try await run(exchange, pool, &chain, body, observation, handle)
    }

    /// Passes the response to `handle`. Returns `nil` if a redirect must be followed.
    private nonisolated(nonsending) static func run<R: Sendable>(
        _ exchange: Exchange, _ pool: OriginPool, _ chain: inout RedirectChain, _ body: HTTPBody?,
        _ observation: RequestObservation?, _ handle: (HTTPResponse, inout HTTPBodyReader) async throws -> R
    ) async throws -> (R?, HTTPResponse) {
        let answer = try await exchange.answer(from: pool)
        observation?.responded(answer.response, answer.facts)
        if try chain.follow(answer.response, canRepeatBody: body?.isReplayable ?? true) {
            return (nil, answer.response)
        }
        let (response, decoder) = try exchange.options.decompression.decoder(
            for: answer.response, to: chain.request.method)
        var reader = HTTPBodyReader(exchange, facts: answer.facts, decoder: decoder)
        reader.url = exchange.request.url
        return (try await handle(response, &reader), answer.response)
    }

    /// Returns the deadline of a request, which includes its redirects.
    private func deadline(_ options: RequestOptions) -> NIODeadline? {
        options.totalTimeout.map { core.now + TimeAmount(clamping: $0) }
    }

    /// Returns the limit for a coded body, which can be slightly larger than the decoded body. The exact limit is
    /// enforced on the decoded body.
    private static func codedLimit(_ limit: Int, _ decompression: Decompression) -> Int {
        guard decompression.isOn else { return limit }
        let (sum, overflows) = limit.addingReportingOverflow(limit / 64 + 1024)
        return overflows ? .max : sum
    }

    private nonisolated(nonsending) func prepare(
        _ request: HTTPRequest, body: HTTPBody?, options: RequestOptions, hasLeftOrigin: Bool, deadline: NIODeadline?,
        sink: ExchangeMachine.Sink, _ observation: RequestObservation?
    ) async throws(TransportError) -> (Exchange, OriginPool) {
        var request = request
        observation?.trace?.inject(into: &request.headerFields)
        let prepared = try PreparedRequest(
            request, body: try await body?.prepare() ?? .absent, asksForCoding: options.decompression.isOn,
            versions: core.configuration.httpVersions, url: try core.url(of: request),
            variation: hasLeftOrigin ? options.variation?.forOtherOrigins : options.variation)
        let pool = try core.pool(for: prepared.target)
        let exchange = Exchange(
            request: prepared, options: options, sink: sink, deadline: deadline,
            context: observation?.trace?.context)
        return (exchange, pool)
    }
}
