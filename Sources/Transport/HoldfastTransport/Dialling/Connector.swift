package import NIOCore

/// Opens the socket of a connection. The seam at which tests put channels that no kernel sees.
package protocol Connector: Sendable {
    /// Connects to a host, or to an IP literal, within `timeout`. Fails with NIO's errors.
    ///
    /// `noting` is told of every channel before it connects, so that a dial can be given up. The channel does not read
    /// by itself until it is told to.
    func connect(
        host: String, port: UInt16, timeout: Duration, on loop: any EventLoop,
        noting: @escaping @Sendable (any Channel) -> Void
    ) -> EventLoopFuture<any Channel>
}
