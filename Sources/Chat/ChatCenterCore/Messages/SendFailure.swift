/// Why a message will not be sent any more unless the user asks for it again.
public enum SendFailure: Error, Hashable, Sendable {
    /// The server answered with an error.
    case refused(ServerRefusal)
    /// No answer within `sendTimeout`. The message may have arrived all the same; if the history shows so, it becomes
    /// sent.
    case timedOut
    /// It was handed to a socket so often as the server's `messageRetryCount` allows, and never arrived.
    case lost(tries: Int)
    /// It waited longer for a connection than a queued message may.
    case expired
    /// A file of it could not be uploaded.
    case upload(TransportFailure)
}
