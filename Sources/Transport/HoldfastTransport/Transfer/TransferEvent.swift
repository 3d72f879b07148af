/// What happens in the course of a transfer beside its progress.
public enum TransferEvent: Sendable {
    /// Bytes from before are kept; the transfer goes on behind so many of them.
    case resuming(at: Int64)
    /// Bytes from before are thrown away, for this reason.
    case startedOver(reason: String)
    /// The connection was lost; there is another attempt after a wait.
    case lost(TransportError, waiting: Duration)
}
