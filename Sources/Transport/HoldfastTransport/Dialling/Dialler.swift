package import NIOCore

/// Opens connections. HTTP, WebSocket and the command-line tool all use it, so that every server is verified.
package protocol Dialler: Sendable {
    /// Opens a connection on `loop` and verifies its server. The future completes on `loop` and fails only with a
    /// ``TransportError``.
    ///
    /// The resulting channel holds back reads until ``Dialled/begin()`` is called. Add the protocol's handlers first,
    /// so that bytes that arrive with the end of the handshake are not lost.
    func dial(_ target: DialTarget, deadlines: DialDeadlines, on loop: any EventLoop) -> EventLoopFuture<Dialled>

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
