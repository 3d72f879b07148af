/// How far one of the client's own messages came, as the user sees it.
public enum ChatMessageState: Hashable, Sendable {
    /// Kept, waits for its turn or for a connection.
    case queued
    /// A file of it is on its way.
    case uploading
    /// Handed to the server, not answered yet.
    case sending
    case sent
    case delivered
    case read
    case failed(SendFailure)
}
