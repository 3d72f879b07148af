/// The reason why a message failed. It is sent again only if the user requests it.
public enum SendFailure: Error, Hashable, Sendable {
    /// The server refused the message.
    case refused(ServerRefusal)
    /// The server did not answer within `sendTimeout`. The message may still have arrived; if the history contains it,
    /// its state changes to sent.
    case timedOut
    /// The message was written to a socket as often as the server's `messageRetryCount` allows, and never arrived.
    case lost(tries: Int)
    /// The message waited for a connection longer than a queued message may.
    case expired
    /// A file of the message could not be uploaded.
    case upload(TransportFailure)
}
