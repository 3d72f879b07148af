/// What has to be done next on the way through a proxy.
enum ProxyStep: Hashable, Sendable {
    /// Send these bytes, if any, and wait for more.
    case proceed([UInt8])
    /// The proxy is connected to the server: from here on every byte is the server's.
    case connected
    /// It has failed. Nothing more is asked of the machine.
    case fail(ProxyFailure)
}
