package import NIOCore

/// What opens connections. HTTP, WebSocket and the tool all come through here, so that no connection exists that was
/// not judged.
package protocol Dialler: Sendable {
    /// Opens a connection on `loop` and judges its server. The future completes on `loop` and fails with a
    /// ``TransportError`` alone.
    ///
    /// The channel of the result holds back what it reads until ``Dialled/begin()`` is called: add the handlers of the protocol to its
    /// pipeline first, so that no byte is lost that arrives with the end of the handshake.
    func dial(_ target: DialTarget, deadlines: DialDeadlines, on loop: any EventLoop) -> EventLoopFuture<Dialled>

    /// Whether the policy now in force has judged a connection, or there is nothing to judge: it is closed, or without TLS.
    func hasJudged(_ id: TransportConnectionID) -> Bool

    /// Judges an open connection again, by the policy now in force, and ends it if that refuses it, or does not know in time. The
    /// future completes on `loop` and never fails; then ``hasJudged(_:)`` is true, unless the policy has changed once more.
    func judgeAgain(_ id: TransportConnectionID, on loop: any EventLoop) -> EventLoopFuture<Void>
}
