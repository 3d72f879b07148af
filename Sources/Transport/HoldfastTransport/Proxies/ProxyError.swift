/// The reason why a proxy, its credentials or an exception cannot be used as configured. No connection was attempted.
public struct ProxyError: Error, Hashable, Sendable, CustomStringConvertible {
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

        /// The address of the proxy has an unknown scheme, an unusable host or port, or parts that a proxy address must
        /// not have.
        public static let address = Code(rawValue: "address")
        /// The user name or the password cannot be sent by the proxy's authentication method.
        public static let credentials = Code(rawValue: "credentials")
        /// An entry of a `NO_PROXY` list is neither a host, a domain, an address nor a network.
        public static let exception = Code(rawValue: "exception")
    }

    /// The kind of failure.
    public var code: Code
    /// A human-readable sentence. It never contains a credential and therefore does not quote the address.
    public var reason: String

    /// Creates an error.
    public init(_ code: Code, _ reason: String) {
        self.code = code
        self.reason = reason
    }

    /// The code and the reason.
    public var description: String { "\(code.rawValue): \(reason)" }
}
