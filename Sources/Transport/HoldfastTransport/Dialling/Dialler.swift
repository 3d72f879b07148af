import HoldfastNIO
package import NIOCore

/// Opens connections. HTTP, WebSocket and the command-line tool all use it, so that every server is verified.
package protocol Dialler: Sendable {
    /// Opens a connection on `loop` and verifies its server. The future completes on `loop` and fails only with a
    /// ``TransportError``.
    ///
    /// The resulting channel holds back reads until ``Dialled/begin()`` is called. Add the protocol's handlers first,
    /// so that bytes that arrive with the end of the handshake are not lost.
    func dial(_ target: DialTarget, deadlines: DialDeadlines, on loop: any EventLoop) -> EventLoopFuture<Dialled>

    /// Opens a connection as ``dial(_:deadlines:on:)``, and fails when `cancellation` cancels the dial. The default
    /// implementation continues to dial; the caller closes the connection if the dial was cancelled.
    func dial(
        _ target: DialTarget, deadlines: DialDeadlines, cancellation: DialCancellation, on loop: any EventLoop
    ) -> EventLoopFuture<Dialled>

    /// Returns whether the policy in force has verified a connection. Returns true if the connection is closed or
    /// without TLS.
    func hasJudged(_ id: TransportConnectionID) -> Bool

    /// Verifies an open connection again with the policy in force, and closes it if the policy refuses it or the
    /// verification times out.
    ///
    /// The future completes on `loop` and never fails. Afterwards ``hasJudged(_:)`` is true, unless the policy has
    /// changed again.
    func judgeAgain(_ id: TransportConnectionID, on loop: any EventLoop) -> EventLoopFuture<Void>
}

extension Dialler {
    package func dial(
        _ target: DialTarget, deadlines: DialDeadlines, cancellation: DialCancellation, on loop: any EventLoop
    ) -> EventLoopFuture<Dialled> {
        dial(target, deadlines: deadlines, on: loop)
    }
}

/// An open connection to a server that was verified and accepted.
package struct Dialled: Sendable {
    /// The number of the connection.
    package let id: TransportConnectionID
    /// The channel. Its pipeline ends with the TLS handlers, if any, and holds back reads.
    package let channel: any Channel
    /// The properties of the connection.
    package let facts: ConnectionFacts
    let hold: NIOLoopBound<ReadHold>

    /// Releases the held reads and permits further ones. Call it once, on the channel's event loop, after adding the
    /// protocol's handlers.
    package func begin() {
        hold.value.release()
    }

    /// Closes the connection at once, without a TLS close alert. May be called from any thread.
    package func cut() {
        channel.cut()
    }
}

/// The timeouts for the phases of a dial, each measured from the start of its phase.
package struct DialDeadlines: Hashable, Sendable {
    /// The timeout for resolving and connecting, to the proxy if there is one.
    package var connect: Duration
    /// The timeout for the TLS handshake, including verification.
    package var tls: Duration

    /// The timeout for the proxy's response. ``tls`` applies separately to TLS with the proxy.
    package var proxy: Duration

    /// Creates timeouts. `proxy` defaults to `connect`.
    package init(connect: Duration, tls: Duration, proxy: Duration? = nil) {
        self.connect = connect
        self.tls = tls
        self.proxy = proxy ?? connect
    }

    /// Creates the timeouts of a configuration, each limited to `limit`, the idle timeout of the request.
    init(_ configuration: TransportConfiguration, limit: Duration) {
        self.init(
            connect: min(configuration.connectTimeout, limit), tls: min(configuration.tlsTimeout, limit),
            proxy: min(configuration.proxyTimeout, limit))
    }
}
