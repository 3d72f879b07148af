/// What the peer did against the protocol, or beyond a limit. The connection ends with the violation's close code.
package struct ProtocolViolation: Error, Hashable, Sendable {
    /// The rule that was broken.
    package var rule: WebSocketError.Violation

    package init(_ rule: WebSocketError.Violation) {
        self.rule = rule
    }
}
