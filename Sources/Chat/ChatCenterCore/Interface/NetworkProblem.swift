/// Something on the network that the host application is told of.
public enum NetworkProblem: Error, Hashable, Sendable {
    /// Which call failed.
    public enum Call: String, Hashable, Sendable {
        /// The configuration call.
        case configuration
        /// A page of the history.
        case history
        /// The unread count.
        case unread
        /// A search on the server.
        case search
        /// A file on its way up.
        case upload
        /// A file on its way down.
        case download
    }

    /// A call failed.
    case call(Call, TransportFailure)
    /// The socket was lost, or did not come to be.
    case socket(DisconnectCause)
}
