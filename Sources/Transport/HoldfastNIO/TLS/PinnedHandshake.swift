public import NIOCore

/// A handshake that ``PinnedTLSHandlerFactory`` has prepared.
public struct PinnedHandshake: Sendable {
    /// Knows the verdict once there is one.
    public let gate: VerificationGate
    /// What the handshake came to: the facts, or a `TrustRefusal` (from HoldfastTrust) with the verdict, or a
    /// ``HandshakeFailure``. A refusal beats every other failure of the channel, and the outcome waits for a judgement
    /// that is under way.
    public let outcome: EventLoopFuture<TLSFacts>
}
