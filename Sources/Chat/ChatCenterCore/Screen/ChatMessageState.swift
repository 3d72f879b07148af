/// How far one of the client's own messages came, as the user sees it.
public enum ChatMessageState: Hashable, Sendable {
    /// Kept, waits for its turn or for a connection.
    case queued
    /// A file of it is on its way.
    case uploading
    /// Handed to the server, not answered yet.
    case sending
    /// The server has it.
    case sent
    /// It reached the other side.
    case delivered
    /// The other side has read it.
    case read
    /// It will not be sent any more unless the user asks for it.
    case failed(SendFailure)
}
