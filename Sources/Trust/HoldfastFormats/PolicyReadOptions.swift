public import HoldfastTrust

/// What a policy file does not say itself.
public struct PolicyReadOptions: Sendable {
    /// The host for which an HPKP header or curl's pins hold: neither names it.
    public var host: String?
    /// When an HPKP header was received: its `max-age` counts from then.
    public var receivedAt: Timestamp?
    /// Chromium's second file, with the hashes behind the names of keys.
    public var keys: [UInt8]?

    /// Collects options.
    public init(host: String? = nil, receivedAt: Timestamp? = nil, keys: [UInt8]? = nil) {
        self.host = host
        self.receivedAt = receivedAt
        self.keys = keys
    }
}
