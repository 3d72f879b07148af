import HoldfastNIO
import HoldfastTrust

extension TransportError {
    /// Creates the error for a connection that failed at the proxy.
    init(proxy server: ProxyServer, _ error: any Error) {
        switch error {
        case let failure as ProxyFailure where failure.code == .timedOut:
            self.init(.timedOut, in: .proxy, "\(server): \(failure.reason)")
            proxy = failure
        case let failure as ProxyFailure:
            self.init(.proxyFailed, in: .proxy, "\(server): \(failure.reason)")
            proxy = failure
        case let refusal as TrustRefusal:
            self.init(refused: refusal.verdict)
            phase = .proxy
            reason = "\(server): \(refusal.verdict)"
            proxy = ProxyFailure(.tls, "The proxy's certificate was refused.")
        case let failure as HandshakeFailure where failure.code == .timedOut:
            self.init(.timedOut, in: .proxy, "\(server): \(failure.reason)")
            proxy = ProxyFailure(.timedOut, failure.reason)
        case let failure as HandshakeFailure:
            self.init(.proxyFailed, in: .proxy, "\(server): \(failure.reason)", handshake: failure)
            proxy = ProxyFailure(.tls, failure.reason)
        default:
            self.init(.proxyFailed, in: .proxy, "\(server): The connection was closed: \(error).")
            proxy = ProxyFailure(.closed, "The connection was closed: \(error).")
        }
    }
}
