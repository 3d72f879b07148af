/// Why a proxy, its credentials or an exception from it cannot be used as configured. Nothing was dialled.
public struct ProxyError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The kind of failure: stable, and a safe metric label.
    public enum Code: String, Hashable, Sendable, CaseIterable {
        /// The address of the proxy has no scheme that is known, no usable host or port, or says more than a proxy's address can.
        case address
        /// The name or the password cannot be sent in the way that the proxy asks for.
        case credentials
        /// An entry of a `NO_PROXY` list is neither a host, a domain, an address nor a network.
        case exception
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
