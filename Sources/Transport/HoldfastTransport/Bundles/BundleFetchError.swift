/// Why a bundle could not be fetched. What is wrong with one that was is a `BundleError` (HoldfastTrust). Whatever the reason, the policy
/// in force stays in force.
public struct BundleFetchError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The kind of failure: stable, and a safe metric label. The set may grow: compare with the constants, and expect others.
    public struct Code: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
        public let rawValue: String
        public init(rawValue: String) { self.rawValue = rawValue }
        public var description: String { rawValue }

        /// The address is no https URL (or http on this machine).
        public static let badAddress = Code(rawValue: "badAddress")
        /// The server could not be reached, was not trusted, or did not answer in time.
        public static let network = Code(rawValue: "network")
        /// The server answered with a status that brings no bundle.
        public static let status = Code(rawValue: "status")
        /// The answer has more bytes than a bundle may.
        public static let tooLarge = Code(rawValue: "tooLarge")
    }

    /// The kind of failure.
    public var code: Code
    /// One sentence for a person.
    public var reason: String
    /// The status, where that is the reason.
    public var status: Int?
    /// How long the server asked to be left alone (`Retry-After`), in seconds; not bounded.
    public var retryAfter: Double?

    /// Makes an error.
    public init(_ code: Code, _ reason: String, status: Int? = nil, retryAfter: Double? = nil) {
        self.code = code
        self.reason = reason
        self.status = status
        self.retryAfter = retryAfter
    }

    public var description: String { "\(code.rawValue): \(reason)" }
}
