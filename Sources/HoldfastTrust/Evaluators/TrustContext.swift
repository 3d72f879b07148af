/// What judges the connections of one client: the anchors, the policy or the evaluators, and the mode.
///
/// Every transport of Holdfast takes one, and there is no way to open a TLS connection without one. Making a context
/// does no I/O; the machine's roots are read at the first judgement.
public struct TrustContext: Sendable {
    /// A name for logs and verdicts.
    public let name: String
    private let body: @Sendable (PresentedChain, TrustSubject, Timestamp) -> Judgement

    package init(
        name: String, judge: @escaping @Sendable (PresentedChain, TrustSubject, Timestamp) -> Judgement
    ) {
        self.name = name
        self.body = judge
    }

    /// Judges what a server presented. Pure but for the reading of the machine's roots; called from any thread, and
    /// expensive enough (signature checks) to be kept off event loops.
    public func judge(_ chain: PresentedChain, for subject: TrustSubject, at time: Timestamp) -> Judgement {
        body(chain, subject, time)
    }
}
