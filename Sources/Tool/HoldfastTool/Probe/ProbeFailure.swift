import HoldfastNIO
import HoldfastTransport
import HoldfastTrust

/// Why there is no verdict on a server.
struct ProbeFailure: Hashable, Sendable {
    /// The kind of failure: stable, and a safe metric label. `tls.` in front of it: the handshake failed that way.
    var code: String
    /// One sentence, safe to print.
    var reason: String

    init(code: String, reason: String) {
        self.code = code
        self.reason = Printable.text(ErrorText.plain(reason))
    }

    init(_ error: TransportError) {
        guard error.phase != .proxy else {
            // The handshake and the verdict are the proxy's.
            let code = error.code == .timedOut ? error.code : .proxyFailed
            self.init(code: code.rawValue, reason: error.reason)
            return
        }
        let finding = error.verdict?.decidingFinding
        let attempts = error.attempts.map { " (\($0.address): \($0.reason))" }.joined()
        self.init(
            code: error.handshake.map { "tls." + $0.code.rawValue } ?? finding?.code.rawValue ?? error.code.rawValue,
            reason: finding?.reason ?? (error.reason + (error.attempts.count > 1 ? attempts : "")))
    }
}
