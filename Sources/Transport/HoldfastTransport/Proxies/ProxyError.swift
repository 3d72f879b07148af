/// Why a proxy, its credentials or an exception from it cannot be used as configured. Nothing was dialled.
public struct ProxyError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The kind of failure: stable, and a safe metric label. The set may grow: compare with the constants, and expect others.
    public struct Code: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
        public let rawValue: String
        public init(rawValue: String) { self.rawValue = rawValue }
        public var description: String { rawValue }

        /// The address of the proxy has no scheme that is known, no usable host or port, or says more than a proxy's address can.
        public static let address = Code(rawValue: "address")
        /// The name or the password cannot be sent in the way that the proxy asks for.
        public static let credentials = Code(rawValue: "credentials")
        /// An entry of a `NO_PROXY` list is neither a host, a domain, an address nor a network.
        public static let exception = Code(rawValue: "exception")
    }

    /// The kind of failure.
    public var code: Code
    /// One sentence for a person. It never holds a credential, so neither does it quote the address.
    public var reason: String

    /// Makes an error.
    public init(_ code: Code, _ reason: String) {
        self.code = code
        self.reason = reason
    }

    public var description: String { "\(code.rawValue): \(reason)" }
}
