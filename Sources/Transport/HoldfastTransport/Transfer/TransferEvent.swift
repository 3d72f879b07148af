/// An event during a transfer, other than progress.
public enum TransferEvent: Sendable {
    /// The transfer resumes after this number of bytes from an earlier attempt.
    case resuming(at: Int64)
    /// The bytes of an earlier attempt were discarded, for this reason.
    case startedOver(reason: String)
    /// The connection was lost. Another attempt follows after the wait.
    case lost(TransportError, waiting: Duration)
}
