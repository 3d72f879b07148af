public import HoldfastTransport
public import Logging
package import NIOCore

/// Opens WebSocket connections to servers that its ``HoldfastTransport/TransportConfiguration/trust`` accepts, through
/// the same dialler as HTTP.
///
/// A value without connections of its own: it needs no shutting down, and may be used from any thread. It follows no
/// redirect: a `3xx` is a refusal like any other. The one extension it knows is permessage-deflate, which it offers where
/// ``WebSocketOptions/deflate`` says so.
public struct WebSocketClient: Sendable {
    private let configuration: TransportConfiguration
    private let logger: Logger?
    private let dialler: any Dialler
    private let eventLoops: any EventLoopGroup
    private let entropy: WebSocketEntropy

    /// Makes a client. Opens nothing.
    ///
    /// - Parameters:
    ///   - configuration: Trust, time-outs and limits, as for HTTP.
    ///   - logger: Gets debug messages; no header field, message or reason of a peer is among them.
    public init(configuration: TransportConfiguration = TransportConfiguration(), logger: Logger? = nil) {
        self.init(
            configuration: configuration, logger: logger,
            dialler: NetworkDialler(configuration: configuration, logger: logger),
            eventLoops: NetworkDialler.eventLoops)
    }

    package init(
        configuration: TransportConfiguration, logger: Logger? = nil, dialler: any Dialler,
        eventLoops: any EventLoopGroup, entropy: WebSocketEntropy = .system
    ) {
        self.configuration = configuration
        self.logger = logger
        self.dialler = dialler
        self.eventLoops = eventLoops
        self.entropy = entropy
    }

    /// Opens a connection. It lives on an event loop of the library's; on the caller's, where the calling task runs on one
    /// by `EventLoopTaskExecutor`.
    ///
    /// - Parameters:
    ///   - url: A `wss:` URL. A `ws:` URL is refused with `cleartextRefused` unless the host is the loopback or the
    ///     configuration allows it. User information and fragments are refused with `invalidURL`.
    ///   - options: What this connection wants.
    /// - Returns: The open connection. Messages that the server has sent right behind its answer are the first of its
    ///   messages.
    /// - Throws: A `TransportError` for what went wrong below the WebSocket: `trustRefused` with the verdict for a
    ///   server that was refused, `timedOut` with the phase `upgrading` when the answer took too long, `cancelled` when
    ///   the task was. A ``WebSocketError`` for a server that does not grant the upgrade, or not properly, and for
    ///   options that cannot be sent.
    public func connect(
        _ url: String, options: WebSocketOptions = WebSocketOptions()
    ) async throws -> WebSocketConnection {
        // RFC 6455, 3: a fragment means nothing here, and must not be there.
        guard !url.contains("#") else {
            throw TransportError(.invalidURL, in: .preparing, "The URL of a WebSocket has no fragment.")
        }
        let url = try RequestURL(url)
        guard url.scheme == .ws || url.scheme == .wss else {
            throw TransportError(.invalidURL, in: .preparing, "The URL of a WebSocket begins with ws: or wss:.")
        }
        let handshake = try ClientHandshake(
            url: url, headers: options.headers, subprotocols: options.subprotocols, deflate: options.deflate,
            entropy: entropy)
        let attempt = ClientAttempt(
            handshake: handshake, options: options, limits: configuration.limits, entropy: entropy, logger: logger)
        let deadlines = DialDeadlines(
            connect: options.connectTimeout ?? configuration.connectTimeout,
            tls: options.tlsTimeout ?? configuration.tlsTimeout, proxy: configuration.proxyTimeout)
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { waiter in
                guard attempt.begin(waiter) else { return }
                dialler.dial(url.dialTarget(alpn: ["http/1.1"]), deadlines: deadlines, on: eventLoops.any())
                    .whenComplete { attempt.dialled($0) }
            }
        } onCancel: {
            attempt.cancel()
        }
    }
}
