public import HoldfastTrust

/// What a format asks for beside the policy.
public struct PolicyWriteOptions: Sendable {
    /// The host whose rule is written in a format that holds for one host (HPKP, curl).
    public var host: String?
    /// The time from which an HPKP header's `max-age` counts.
    public var time: Timestamp?
    /// Writes TrustKit's configuration as JSON instead of as a property list.
    public var prefersJSON: Bool

    /// Collects options.
    public init(host: String? = nil, time: Timestamp? = nil, prefersJSON: Bool = false) {
        self.host = host
        self.time = time
        self.prefersJSON = prefersJSON
    }
}
