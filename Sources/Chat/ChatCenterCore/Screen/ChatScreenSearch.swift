/// The search on the screen.
public struct ChatScreenSearch: Hashable, Sendable {
    /// What is looked for.
    public var text: String
    /// More answers are awaited.
    public var isSearching: Bool
    /// What was found, newest first.
    public var results: [ChatScreenMessage]
    /// How many there are, as far as is known.
    public var total: Int
    /// `searchMore` fetches the next page.
    public var hasMore: Bool
    /// The server could not be asked: these are the messages that this device holds.
    public var isLocal: Bool
    /// Why the server could not be asked, or did not answer.
    public var failure: TransportFailure?
}
