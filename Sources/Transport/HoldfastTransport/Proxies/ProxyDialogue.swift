import HoldfastTrust

/// The talk with a proxy up to the point where the server answers, as a value.
protocol ProxyDialogue: Sendable {
    /// What is sent first.
    var opening: [UInt8] { get }

    /// Bytes have come from the proxy.
    mutating func receive(_ bytes: some Sequence<UInt8>) -> ProxyStep
}

extension ProxyServer {
    /// A talk that asks the proxy to connect to a host: by its name, which the proxy resolves.
    func dialogue(with host: CanonicalHost, port: UInt16) -> any ProxyDialogue {
        switch kind {
        case .http, .https: ConnectMachine(host: host, port: port, credentials: credentials)
        case .socks5: SOCKSMachine(host: host, port: port, credentials: credentials)
        }
    }
}

extension ProxyFailure {
    /// The proxy sent more than its answer.
    static let earlyBytes = ProxyFailure(
        .earlyBytes, "The proxy sent bytes behind its answer, before TLS had begun.")
}
