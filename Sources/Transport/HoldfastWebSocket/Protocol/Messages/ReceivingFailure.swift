/// Why what arrives cannot be taken.
package enum ReceivingFailure: Error, Hashable, Sendable {
    /// The peer broke a rule, or passed a limit.
    case violation(WebSocketError.Violation)
    /// zlib has failed.
    case zlib(ZlibFailure)

    init(_ violation: ProtocolViolation) {
        self = .violation(violation.rule)
    }

    init(_ failure: Inflater.Failure) {
        switch failure {
        case .malformed: self = .violation(.malformedCompression)
        case .zlib(let failure): self = .zlib(failure)
        }
    }
}
