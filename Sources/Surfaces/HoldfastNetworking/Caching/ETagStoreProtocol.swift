/// Keeps responses by key, for ``ETagTransport``. Its keys are made by ``ETagTransport/key(for:)``.
public protocol ETagStoreProtocol: Sendable {
    /// The response that is kept for a key.
    func cachedResponse(for key: String) async -> ETagCacheEntry?
    /// Keeps a response, in the place of one that is there already.
    func store(_ entry: ETagCacheEntry, for key: String) async
    /// Forgets a response.
    func remove(for key: String) async
    /// Forgets all.
    func removeAll() async
}
