/// Why an upgrade failed, or why a WebSocket connection cannot be used or ended badly.
///
/// What happens below the WebSocket (no address, no connection, a refused server, time-outs of the dial) is a
/// `TransportError`, as for HTTP.
public struct WebSocketError: Error, Hashable, Sendable, CustomStringConvertible {
    /// What kind of failure it is: stable, and a safe metric label.
    public var code: Code
    /// One sentence for a person. It holds nothing that the peer wrote.
    public var reason: String
    /// The answer of a server that did not grant the upgrade. Not `nil` exactly when ``code`` is
    /// ``Code-swift.struct/upgradeRefused``.
    public var refusal: WebSocketRefusal?
    /// The rule that the peer broke, or the limit that it passed. Not `nil` exactly when ``code`` is
    /// ``Code-swift.struct/protocolViolation`` or ``Code-swift.struct/limitExceeded``.
    public var violation: Violation?
    /// How the connection ended, where it had begun and has ended.
    public var closure: WebSocketClosure?

    /// Makes an error.
    public init(_ code: Code, _ reason: String, closure: WebSocketClosure? = nil) {
        self.code = code
        self.reason = reason
        self.refusal = nil
        self.violation = nil
        self.closure = closure
    }

    package init(refusal: WebSocketRefusal) {
        self.init(.upgradeRefused, "The server answered \(refusal.status) to the upgrade to a WebSocket.")
        self.refusal = refusal
    }

    package init(violation: Violation, closure: WebSocketClosure?) {
        self.init(
            violation.isLimit ? .limitExceeded : .protocolViolation, "The peer \(violation.sentence).",
            closure: closure)
        self.violation = violation
    }

    public var description: String { "\(code): \(reason)" }
}
