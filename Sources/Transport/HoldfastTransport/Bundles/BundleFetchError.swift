/// The reason why a bundle could not be fetched.
///
/// A fetched bundle that is invalid is reported as a `BundleError` (HoldfastTrust). In all cases the policy in force
/// stays in force.
public struct BundleFetchError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The stable name of a kind of failure, safe as a metric label.
    ///
    /// The set may grow, so handle unknown values when comparing with the constants.
    public struct Code: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
        /// The stable name.
        public let rawValue: String
        /// Creates a value from its stable name.
        public init(rawValue: String) { self.rawValue = rawValue }
        /// The stable name.
        public var description: String { rawValue }

        /// The address is not an `https` URL, nor an `http` URL of this machine.
        public static let badAddress = Code(rawValue: "badAddress")
        /// The server could not be reached, was not trusted, or did not answer in time.
        public static let network = Code(rawValue: "network")
        /// The server answered with a status other than success.
        public static let status = Code(rawValue: "status")
        /// The response is larger than a bundle may be.
        public static let tooLarge = Code(rawValue: "tooLarge")
    }

    /// The kind of failure.
    public var code: Code
    /// A human-readable sentence.
    public var reason: String
    /// The HTTP status, if it is the reason.
    public var status: Int?
    /// The delay that the server requested (`Retry-After`), in seconds; not bounded.
    public var retryAfter: Double?

    /// Creates an error.
    public init(_ code: Code, _ reason: String, status: Int? = nil, retryAfter: Double? = nil) {
        self.code = code
        self.reason = reason
        self.status = status
        self.retryAfter = retryAfter
    }

    /// The code and the reason.
    public var description: String { "\(code.rawValue): \(reason)" }
}
