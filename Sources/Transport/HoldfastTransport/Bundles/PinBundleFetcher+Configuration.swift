public import HTTPTypes
public import HoldfastTrust
public import Metrics

extension PinBundleFetcher {
    /// The configuration of a fetcher. The fetcher copies it, so later changes have no effect.
    public struct Configuration: Sendable {
        /// The URL of the bundle: `https`, or `http` on this machine.
        public var url: String
        /// The URL of the halt. If `nil`, the path of ``url`` with `.halt` at its end. Requested only if the app has a
        /// halt key, and a pending bundle is due.
        public var haltURL: String?
        /// The URL of the timestamp. If `nil`, the path of ``url`` with `.timestamp` at its end. Requested only if the
        /// app has a timestamp key.
        public var timestampURL: String?
        /// The folder for the entity tag of the stored bundle, preferably that of the `BundleFile`. The same
        /// requirements apply to it. If `nil`, the tag is kept in memory only.
        public var folder: String?
        /// The time between two attempts. Six hours by default; at least one minute.
        public var interval: Duration = .seconds(6 * 3_600)
        /// The maximum random deviation from the interval in percent, which spreads the load of many clients. 20 by
        /// default.
        public var jitterPercent = 20
        /// The longest random wait between ``PinBundleFetcher/run()`` and the first attempt. Zero by default; at most
        /// one day.
        ///
        /// Set it to ten minutes or more if all installations may start at the same time, for example because of a push
        /// notification. Their first requests then arrive evenly during this time.
        public var launchSpread: Duration = .zero
        /// The waits after failures: up to one minute after the first, up to one hour after many. A server may request
        /// up to one day.
        public var backoff = Backoff(base: 60, ceiling: 3_600, retryAfterCeiling: 86_400)
        /// Header fields for each request. Redirects are not followed, so only this server receives them.
        public var fields: HTTPFields = [:]
        /// The trust that verifies the server. System trust without pins by default: the bundle's signature is what
        /// counts, and a bundle must be able to replace wrong pins.
        public var trust: TrustContext = .system()
        /// The maximum time without progress. Fifteen seconds by default.
        public var idleTimeout: Duration = .seconds(15)
        /// The maximum time for the whole request. One minute by default.
        public var totalTimeout: Duration = .seconds(60)
        /// The maximum size of a response, in bytes. By default, and at most, the maximum size of a bundle.
        ///
        /// - Error: `BundleFetchError.Code.tooLarge`
        public var maximumSize: Int = SignedBundle.maximumSize
        /// The proxies to use. None by default.
        public var proxies: ProxySelection = .none
        /// The clock for fetching and for the validity of bundles.
        public var clock: TrustClock = .system
        /// The factory for metrics. If `nil`, the fetcher uses `MetricsSystem.factory` as set when the fetcher is
        /// created.
        public var metrics: (any MetricsFactory)?
        /// Addresses or names to connect to in place of the server's host, for tests and demonstrations.
        public var hostOverrides: [String: String] = [:]

        /// Creates a configuration.
        public init(url: String, folder: String? = nil) {
            self.url = url
            self.folder = folder
        }

        /// Returns the URL of a file.
        func address(of resource: BundleDownload.Resource) -> String {
            switch resource {
            case .bundle: url
            case .halt: haltURL ?? sibling(".halt")
            case .timestamp: timestampURL ?? sibling(".timestamp")
            }
        }

        private func sibling(_ suffix: String) -> String {
            let end = url.firstIndex { $0 == "?" || $0 == "#" } ?? url.endIndex
            return url[..<end] + suffix + url[end...]
        }
    }
}
