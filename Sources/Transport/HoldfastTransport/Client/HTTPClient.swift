public import HTTPTypes
import HoldfastNIO
public import Logging
package import NIOCore

/// A client of HTTP/1.1 and HTTP/2 that judges every server by its ``TransportConfiguration/trust``.
///
/// Connections are kept and reused. Redirects are followed, and bodies decompressed, only where ``RequestOptions`` say so. No
/// proxy is taken from the environment unless asked for. A request is repeated, on a fresh connection, only where the pooled one
/// turns out to be closed before any byte of a response came, and only if repeating it is harmless: its method is
/// idempotent (RFC 9110, 9.2.2) and its body can be sent again, or nothing of it had been sent.
///
/// The client may be used from any thread; when the last reference goes, its connections are closed.
public final class HTTPClient: Sendable {
    /// What a client needs to know.
    public typealias Configuration = TransportConfiguration

    /// How much of a streamed response may wait for its reader before reading from the socket pauses.
    private static let highWater = 256 * 1024

    let core: ClientCore

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

    /// How many hosts and ports the client remembers.
    package var poolCount: Int { core.poolCount }

    /// How many more connections there may be.
    package var freeConnections: Int { core.freeConnections }

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
        var chain = RedirectChain(request, policy: options.redirects)
        let deadline = deadline(options)
        let limit = max(0, limit)
        while true {
            // What `observed` does, without its closure: this is the way that most requests go.
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

    /// Sends the request of a chain once; returns `nil` where a redirect is to be followed.
    private nonisolated(nonsending) func step(
        _ chain: inout RedirectChain, _ body: HTTPBody?, upTo limit: Int, options: RequestOptions,
        deadline: NIODeadline?, observation: RequestObservation?
    ) async throws -> (CollectedResponse?, HTTPResponse) {
        let sent = chain.keepsBody ? body : nil
        let (exchange, pool) = try await prepare(
            chain.request, body: sent, options: options, deadline: deadline,
            sink: .collect(limit: Self.codedLimit(limit, options.decompression)), observation)
        let answer: Exchange.Answer
        if case .stream(_, let produce)? = sent?.source {
            async let _: Void = exchange.upload(produce)
            answer = try await exchange.answer(from: pool)
        } else {
            answer = try await exchange.answer(from: pool)
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

    /// Runs one step of a chain, and tells whoever watches what came of it. `body` returns the result, if there is one, and the
    /// response.
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

    /// Sends a request and hands the response to `handle`, whose body is read part by part.
    ///
    /// When `handle` returns before the body's end the connection is closed, not drained; in HTTP/2 its stream alone is.
    /// - Throws: ``TransportError``, or what `handle` or the closure of a streamed body throws.
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
                    chain.request, body: sent, options: options, deadline: deadline,
                    sink: .stream(highWater: Self.highWater), observation)
                defer { exchange.cancel() }
                if case .stream(_, let produce)? = sent?.source {
                    async let _: Void = exchange.upload(produce)
                    return try await Self.run(exchange, pool, &chain, sent, observation, handle)
                }
                return try await Self.run(exchange, pool, &chain, sent, observation, handle)
            }
            if let result { return result }
        }
    }

    /// Closes idle connections, fails requests that wait with ``TransportError/Code-swift.struct/shutDown``, and returns
    /// when every connection is closed. Later requests fail. Calling it again is harmless.
    ///
    /// - Parameter gracePeriod: How long requests under way may take to end in order. Those that have not then fail with
    ///   ``TransportError/Code-swift.struct/shutDown``; so they do when the task that waits here is cancelled. Zero by default.
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

    /// Hands the answer to `handle`; returns `nil` where a redirect is to be followed.
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

    /// When the total time of a request is up, its redirects included.
    private func deadline(_ options: RequestOptions) -> NIODeadline? {
        options.totalTimeout.map { core.now + TimeAmount(clamping: $0) }
    }

    /// A coded body may be a little larger than what it becomes. The limit itself is enforced on what it becomes.
    private static func codedLimit(_ limit: Int, _ decompression: Decompression) -> Int {
        guard decompression.isOn else { return limit }
        let (sum, overflows) = limit.addingReportingOverflow(limit / 64 + 1024)
        return overflows ? .max : sum
    }

    private nonisolated(nonsending) func prepare(
        _ request: HTTPRequest, body: HTTPBody?, options: RequestOptions, deadline: NIODeadline?,
        sink: ExchangeMachine.Sink, _ observation: RequestObservation?
    ) async throws(TransportError) -> (Exchange, OriginPool) {
        var request = request
        observation?.trace?.inject(into: &request.headerFields)
        let prepared = try PreparedRequest(
            request, body: try await body?.prepare() ?? .absent, asksForCoding: options.decompression.isOn,
            versions: core.configuration.httpVersions, url: try core.url(of: request))
        let pool = try core.pool(for: prepared.target)
        let exchange = Exchange(
            request: prepared, options: options, sink: sink, deadline: deadline,
            context: observation?.trace?.context)
        return (exchange, pool)
    }
}
