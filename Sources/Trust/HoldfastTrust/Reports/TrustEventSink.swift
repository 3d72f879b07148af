/// Receives the trust decisions of a transport.
///
/// The transport calls `record` while it establishes a connection, from any thread. The method must return immediately,
/// must never block and must limit what it stores.
public protocol TrustEventSink: Sendable {
    /// Receives a verdict. The transport passes every verdict, including those that accept the server. The sink decides
    /// which verdicts to report; see ``ReportLedger``.
    func record(_ verdict: TrustVerdict)
}
