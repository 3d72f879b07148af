/// The delivery state of one of the client's own messages, as the user sees it.
public enum ChatMessageState: Hashable, Sendable {
    /// The message is saved and waits for its turn or for a connection.
    case queued
    /// A file of the message is being uploaded.
    case uploading
    /// The message was sent and has no answer yet.
    case sending
    /// The server has the message.
    case sent
    /// The message was delivered to the company.
    case delivered
    /// The company has read the message.
    case read
    /// The message failed. It is sent again only if the user requests it.
    case failed(SendFailure)
}
