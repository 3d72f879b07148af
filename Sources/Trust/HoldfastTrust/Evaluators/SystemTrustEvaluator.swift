/// The system verification alone.
public struct SystemTrustEvaluator: VerdictEvaluator {
    private let anchors: TrustAnchors?
    private let clock: TrustClock

    /// Verifies against the machine's roots, the anchors of the context that the evaluator is used in, or its own.
    public init(anchors: TrustAnchors? = nil, clock: TrustClock = .system) {
        self.anchors = anchors
        self.clock = clock
    }

    /// Returns if the chain is valid for the host; else throws ``TrustRefusal``.
    public func evaluate(_ trust: ServerTrust, forHost host: String) throws {
        try evaluate(trust, host: host, anchors: anchors, clock: clock)
    }

    package func verdict(
        on chain: PresentedChain, for subject: TrustSubject, at time: Timestamp, anchors: TrustAnchors
    ) -> TrustVerdict {
        TrustEngine(anchors: self.anchors ?? anchors).evaluate(chain, for: subject, at: time)
    }
}
