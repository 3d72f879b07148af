package import ChatWire

/// The answer to a REST call.
package enum ServerAnswer: Hashable, Sendable {
    case configuration(ConfigurationAnswer)
    case history(HistoryAnswer)
    case unread(UnreadAnswer)
    case search(SearchAnswer)
    /// The caller's device is deleted.
    case deviceDeleted
    /// A file may come or go.
    case permitted
    /// An HTTP status and what goes into the body.
    case failure(status: Int, ErrorAnswer)
    /// The same, and after how many seconds to come again.
    case refused(status: Int, ErrorAnswer, retryAfter: Int64)
}
