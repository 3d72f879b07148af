#if canImport(FoundationNetworking)
public import HoldfastTransport
public import Logging

/// What a pinned session may want beside what `URLSessionConfiguration` says.
public struct PinnedSessionOptions: Sendable {
    /// Proxies, time-outs of connecting, limits and the like. Its `trust` and `maximumConnectionsPerHost` are not looked at:
    /// those are the session's.
    public var transport: TransportConfiguration
    /// The largest body that a task with a completion handler takes; a larger one fails with `responseTooLarge`. 64 MiB by
    /// default. Delegates get bodies in parts, and no limit holds for those.
    public var maximumResponseBytes: Int
    /// Where connections, refusals and delegates that take the place of the system verification are logged.
    public var logger: Logger?

    /// Makes options.
    public init(
        transport: TransportConfiguration = TransportConfiguration(), maximumResponseBytes: Int = 64 * 1024 * 1024,
        logger: Logger? = nil
    ) {
        self.transport = transport
        self.maximumResponseBytes = maximumResponseBytes
        self.logger = logger
    }
}
#endif
