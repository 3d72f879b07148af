/// Takes what a transport has to tell about its trust decisions.
///
/// `record` is called on the path of a connection: it must return at once, never block, and keep what it takes within
/// bounds. Called from any thread.
public protocol TrustEventSink: Sendable {
    /// Takes a verdict. Every verdict is handed over, favourable ones included; what is worth a report is for the sink
    /// to decide, see ``ReportLedger``.
    func record(_ verdict: TrustVerdict)
}
