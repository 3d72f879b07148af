/// The chat SDK's mode as an evaluator: see ``PinnedKeysOnly``. System trust takes no part.
public struct PinnedKeysOnlyEvaluator: VerdictEvaluator {
    /// The listed keys.
    public let pins: PinnedKeysOnly
    private let clock: TrustClock

    /// Lists keys.
    public init(_ pins: PinnedKeysOnly, clock: TrustClock = .system) {
        self.pins = pins
        self.clock = clock
    }

    /// Returns if the server's own key, or that of an authority it is linked to, is listed; else throws
    /// ``TrustRefusal``.
    public func evaluate(_ trust: ServerTrust, forHost host: String) throws {
        try evaluate(trust, host: host, anchors: nil, clock: clock)
    }

    package func verdict(
        on chain: PresentedChain, for subject: TrustSubject, at time: Timestamp, anchors: TrustAnchors
    ) -> TrustVerdict {
        PinnedKeysVerification(pins: pins).evaluate(chain, for: subject, at: time)
    }
}
