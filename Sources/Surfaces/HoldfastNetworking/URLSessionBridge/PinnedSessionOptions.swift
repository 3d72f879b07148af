#if canImport(FoundationNetworking)
public import HoldfastTransport
public import Logging

/// What a pinned session may want beside what `URLSessionConfiguration` says.
public struct PinnedSessionOptions: Sendable {
    /// Proxies, time-outs of connecting, limits and the like. Its `trust` and `maximumConnectionsPerHost` are not looked at:
    /// those are the session's.
    public var transport: TransportConfiguration
    /// The largest body that a task with a completion handler takes; a larger one fails with `responseTooLarge`. 64 MiB by
    /// default. Delegates get bodies in parts, and this limit does not hold for those; the ones of `Decompression` do.
    public var maximumResponseBytes: Int
    /// Which redirects are followed, before the delegate is asked about them: ten at most by default. Fields of your own that
    /// carry a credential have to be named here, or they go along to another origin; see `RedirectPolicy`.
    public var redirects: RedirectPolicy
    /// Where connections, refusals and delegates that take the place of the system verification are logged.
    public var logger: Logger?

    /// Makes options.
    public init(
        transport: TransportConfiguration = TransportConfiguration(), maximumResponseBytes: Int = 64 * 1024 * 1024,
        redirects: RedirectPolicy = .follow(), logger: Logger? = nil
    ) {
        self.transport = transport
        self.maximumResponseBytes = maximumResponseBytes
        self.redirects = redirects
        self.logger = logger
    }
}
#endif
