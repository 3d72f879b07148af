/// Runs only the system verification.
public struct SystemTrustEvaluator: VerdictEvaluator {
    private let anchors: TrustAnchors?
    private let clock: TrustClock

    /// Creates an evaluator that uses the given anchors. Without them, it uses the anchors of the calling context or
    /// the system's roots.
    public init(anchors: TrustAnchors? = nil, clock: TrustClock = .system) {
        self.anchors = anchors
        self.clock = clock
    }

    /// Returns if the chain is valid for the host.
    ///
    /// - Throws: ``TrustRefusal`` otherwise.
    public func evaluate(_ trust: ServerTrust, forHost host: String) throws {
        try evaluate(trust, host: host, anchors: anchors, clock: clock)
    }

    package func verdict(
        on chain: PresentedChain, for subject: TrustSubject, at time: Timestamp, by engine: TrustEngine
    ) -> TrustVerdict {
        engine.with(anchors: anchors).evaluate(chain, for: subject, at: time)
    }
}
