/// The search on the screen.
public struct ChatScreenSearch: Hashable, Sendable {
    /// The text to search for.
    public var text: String
    /// Whether results are pending.
    public var isSearching: Bool
    /// The results, newest first.
    public var results: [ChatScreenMessage]
    /// The total number of matches, as far as it is known.
    public var total: Int
    /// Whether `searchMore` can load another page.
    public var hasMore: Bool
    /// Whether the results come from this device only, because the server could not be searched.
    public var isLocal: Bool
    /// The reason why the server could not be searched.
    public var failure: TransportFailure?
}
