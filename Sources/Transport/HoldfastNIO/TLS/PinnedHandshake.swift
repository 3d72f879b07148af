public import NIOCore

/// A handshake that ``PinnedTLSHandlerFactory`` has set up on a channel.
public struct PinnedHandshake: Sendable {
    /// The gate that holds the verdict as soon as there is one.
    public let gate: VerificationGate
    /// The outcome of the handshake: its facts, or an error.
    ///
    /// The error is a `TrustRefusal` (from HoldfastTrust) with the verdict, or a ``HandshakeFailure``. A refusal takes
    /// precedence over every other failure of the channel. The outcome waits for a running evaluation.
    public let outcome: EventLoopFuture<TLSFacts>
}
