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
        self.reason = Printable.text(reason)
    }

    init(_ error: TransportError) {
        let attempts = error.attempts.map { " (\($0.address): \($0.reason))" }.joined()
        self.init(
            code: error.handshake.map { "tls." + $0.code.rawValue }
                ?? (error.verdict?.finding.code.rawValue ?? error.code.rawValue),
            reason: error.verdict?.finding.reason ?? (error.reason + (error.attempts.count > 1 ? attempts : "")))
    }
}
