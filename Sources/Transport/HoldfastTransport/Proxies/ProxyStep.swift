/// The next step in a dialogue with a proxy.
enum ProxyStep: Hashable, Sendable {
    /// Send these bytes, if any, and wait for more.
    case proceed([UInt8])
    /// The proxy is connected to the server. All following bytes belong to the server.
    case connected
    /// The dialogue failed, and the machine must not be used again.
    case fail(ProxyFailure)
}
