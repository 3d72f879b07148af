package import NIOCore

/// Opens the socket of a connection. Tests substitute channels without real sockets.
package protocol Connector: Sendable {
    /// Connects to a host or an IP address within `timeout`. Fails with NIO's errors.
    ///
    /// The channel does not read until reads are requested.
    ///
    /// - Parameter noting: Called with each channel before it connects, so that the dial can be cancelled.
    func connect(
        host: String, port: UInt16, timeout: Duration, on loop: any EventLoop,
        noting: @escaping @Sendable (any Channel) -> Void
    ) -> EventLoopFuture<any Channel>
}
