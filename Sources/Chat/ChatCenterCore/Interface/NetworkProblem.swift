/// A network problem that is reported to the host application.
public enum NetworkProblem: Error, Hashable, Sendable {
    /// The kind of call that failed.
    public enum Call: String, Hashable, Sendable {
        /// The call that loads the configuration.
        case configuration
        /// The call that loads a page of the history.
        case history
        /// The call that loads the unread count.
        case unread
        /// A search on the server.
        case search
        /// A file upload.
        case upload
        /// A file download.
        case download
    }

    /// A call failed.
    case call(Call, TransportFailure)
    /// The socket was lost or could not be opened.
    case socket(DisconnectCause)
}
