public import HoldfastTransport
public import Logging
package import NIOCore

/// A client that opens WebSocket connections to servers that its `TransportConfiguration.trust`
/// accepts. It connects through the same dialler as HTTP.
///
/// The client holds no connections, needs no shutdown and can be used from any thread. It does not follow redirects: a
/// `3xx` response is a refusal. The only supported extension is permessage-deflate, which it offers if
/// ``WebSocketOptions/deflate`` is set.
public struct WebSocketClient: Sendable {
    private let configuration: TransportConfiguration
    private let logger: Logger?
    private let dialler: any Dialler
    private let eventLoops: any EventLoopGroup
    private let entropy: WebSocketEntropy

    /// Makes a client without opening a connection.
    ///
    /// - Parameters:
    ///   - configuration: Trust, timeouts and limits, as for HTTP.
    ///   - logger: Receives debug messages. They never contain header fields, messages or close reasons of a peer.
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

    /// Opens a connection.
    ///
    /// The connection runs on one of the library's event loops. If the calling task runs on an event loop through
    /// `EventLoopTaskExecutor`, the connection uses that event loop.
    ///
    /// - Parameters:
    ///   - url: A `wss:` URL. A `ws:` URL is refused with `cleartextRefused`, unless the host is the loopback or the
    ///     configuration allows cleartext. User information and fragments are refused with `invalidURL`.
    ///   - options: The options of this connection.
    /// - Returns: The open connection. Its first messages are those that the server sent directly after its response.
    /// - Throws: A `TransportError` for failures below the WebSocket: `trustRefused` with the verdict if the server was
    ///   refused, `timedOut` in the phase `upgrading` if the response took too long, or `cancelled` if the task was
    ///   cancelled. A ``WebSocketError`` if the server refuses the upgrade or its response is invalid, or if the
    ///   options cannot be sent.
    public func connect(
        _ url: String, options: WebSocketOptions = WebSocketOptions()
    ) async throws -> WebSocketConnection {
        // RFC 6455, 3 forbids fragments in WebSocket URLs.
        guard !url.contains("#") else {
            throw TransportError(.invalidURL, in: .preparing, "A WebSocket URL must not contain a fragment.")
        }
        let url = try RequestURL(url)
        guard url.scheme == .ws || url.scheme == .wss else {
            throw TransportError(.invalidURL, in: .preparing, "A WebSocket URL must begin with ws: or wss:.")
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
