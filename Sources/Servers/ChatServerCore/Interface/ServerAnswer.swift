package import ChatWire

/// The answer to a REST call.
package enum ServerAnswer: Hashable, Sendable {
    case configuration(ConfigurationAnswer)
    case history(HistoryAnswer)
    case unread(UnreadAnswer)
    case search(SearchAnswer)
    /// The caller's device was deleted.
    case deviceDeleted
    /// The file transfer is permitted.
    case permitted
    /// An HTTP status and the error in the body.
    case failure(status: Int, ErrorAnswer)
    /// Like `failure`, with a `Retry-After` time in seconds.
    case refused(status: Int, ErrorAnswer, retryAfter: Int64)
}
