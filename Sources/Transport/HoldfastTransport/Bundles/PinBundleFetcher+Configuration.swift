public import HTTPTypes
public import HoldfastTrust
public import Metrics

extension PinBundleFetcher {
    /// What a fetcher needs to know. Copied by it: later changes have no effect.
    public struct Configuration: Sendable {
        /// Where the bundle is: an https URL, or http on this machine.
        public var url: String
        /// The folder in which the entity tag of the kept bundle is remembered: best that of the `BundleFile`. `nil`: it is
        /// remembered until the process ends. The same demands are made on it.
        public var folder: String?
        /// The time between two looks. Six hours by default; at least a minute.
        public var interval: Duration = .seconds(6 * 3_600)
        /// By how many hundredths of the interval the time is drawn to differ, so that a fleet does not come all at once. 20 by default.
        public var jitterPercent = 20
        /// The waits after failures: up to a minute after the first, up to an hour after many; a server may ask for a day.
        public var backoff = Backoff(base: 60, ceiling: 3_600, retryAfterCeiling: 86_400)
        /// Header fields that each request carries. Redirects are not followed, so nobody else gets them.
        public var fields: HTTPFields = [:]
        /// What judges the server. System trust by default, without pins: it is the signature that counts, and wrong pins must be
        /// mendable by a bundle.
        public var trust: TrustContext = .system()
        /// The longest time without progress. Fifteen seconds by default.
        public var idleTimeout: Duration = .seconds(15)
        /// The longest time for all of it. A minute by default.
        public var totalTimeout: Duration = .seconds(60)
        /// The most bytes that are read. What a bundle may have by default; no more than that.
        public var maximumSize: Int = SignedBundle.maximumSize
        /// Which connections go through which proxy. None by default.
        public var proxies: ProxySelection = .none
        /// Where the time comes from, by which bundles are judged, too.
        public var clock: TrustClock = .system
        /// Where metrics go; `nil`: to the process-wide `MetricsSystem.factory`, as it is when the fetcher is made.
        public var metrics: (any MetricsFactory)?
        /// Addresses (or names) to dial in place of a server's host: for tests and demonstrations.
        public var hostOverrides: [String: String] = [:]

        /// Makes a configuration.
        public init(url: String, folder: String? = nil) {
            self.url = url
            self.folder = folder
        }
    }
}
