import HoldfastTrust

/// The talk with a proxy up to the point where the server answers, as a value.
enum ProxyDialogue: Sendable {
    case connect(ConnectMachine)
    case socks(SOCKSMachine)

    /// A talk that asks a proxy to connect to a host: by its name, which the proxy resolves.
    init(_ proxy: ProxyServer, host: CanonicalHost, port: UInt16) {
        switch proxy.kind {
        case .http, .https:
            self = .connect(ConnectMachine(host: host, port: port, credentials: proxy.credentials))
        case .socks5:
            self = .socks(SOCKSMachine(host: host, port: port, credentials: proxy.credentials))
        }
    }

    /// What is sent first.
    var opening: [UInt8] {
        switch self {
        case .connect(let machine): machine.opening
        case .socks(let machine): machine.opening
        }
    }

    /// Bytes have come from the proxy.
    mutating func receive(_ bytes: some Sequence<UInt8>) -> ProxyStep {
        switch self {
        case .connect(var machine):
            let step = machine.receive(bytes)
            self = .connect(machine)
            return step
        case .socks(var machine):
            let step = machine.receive(bytes)
            self = .socks(machine)
            return step
        }
    }

    static let earlyBytes = ProxyFailure(
        .earlyBytes, "The proxy sent bytes behind its answer, before TLS had begun.")
}
