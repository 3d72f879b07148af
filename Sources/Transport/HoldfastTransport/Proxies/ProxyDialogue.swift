import HoldfastTrust

/// The dialogue with a proxy until it has connected to the server.
protocol ProxyDialogue: Sendable {
    /// The bytes to send first.
    var opening: [UInt8] { get }

    /// Processes bytes from the proxy.
    mutating func receive(_ bytes: some Sequence<UInt8>) -> ProxyStep
}

extension ProxyServer {
    /// Returns a dialogue that asks the proxy to connect to a host by name. The proxy resolves the name.
    func dialogue(with host: CanonicalHost, port: UInt16) -> any ProxyDialogue {
        switch kind {
        case .http, .https: ConnectMachine(host: host, port: port, credentials: credentials)
        case .socks5: SOCKSMachine(host: host, port: port, credentials: credentials)
        }
    }
}

extension ProxyFailure {
    /// The failure of a proxy that sent bytes after its response.
    static let earlyBytes = ProxyFailure(
        .earlyBytes, "The proxy sent bytes after its response, before TLS started.")
}
