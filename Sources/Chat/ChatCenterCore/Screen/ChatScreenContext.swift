/// The surroundings of one message, away from the newest messages: a second window on the history.
///
/// It opens for a search result that is not among ``ChatScreenState/messages``. Its rows follow edits, deletions and
/// states like those of the conversation. They have no buttons.
public struct ChatScreenContext: Hashable, Sendable {
    /// The state of one end of the rows.
    public enum Edge: Hashable, Sendable {
        /// More messages follow at this end.
        case idle
        /// More messages are being loaded.
        case loading
        /// No more messages follow at this end.
        case atEnd
        /// More messages could not be loaded. The next request for this end retries.
        case failed(TransportFailure)
    }

    /// The message that the rows surround.
    public var target: MessageID
    /// The rows, oldest first; empty until the first ones are loaded.
    public var messages: [ChatScreenMessage]
    /// The state of loading older messages. `.atEnd`: the conversation begins here.
    public var older: Edge
    /// The state of loading newer messages. `.atEnd`: the newest row is also among ``ChatScreenState/messages``, so the
    /// view can close the context and continue there.
    public var newer: Edge
}
