package import ChatWire

/// The answer to a REST call.
package enum ServerAnswer: Hashable, Sendable {
    case configuration(ConfigurationAnswer)
    case history(HistoryAnswer)
    case unread(UnreadAnswer)
    case search(SearchAnswer)
    /// An HTTP status and what goes into the body.
    case failure(status: Int, WireFailure)
}
