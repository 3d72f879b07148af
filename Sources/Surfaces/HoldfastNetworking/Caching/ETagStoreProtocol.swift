public import Foundation

#if canImport(FoundationNetworking)
public import FoundationNetworking
#endif

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

/// A response with the tag that its server gave it.
public struct ETagCacheEntry: Sendable {
    /// The entity tag, quotation marks included.
    public let etag: String
    /// The body.
    public let data: Data
    /// The response's status and fields.
    public let response: HTTPURLResponse

    /// Makes an entry.
    public init(etag: String, data: Data, response: HTTPURLResponse) {
        self.etag = etag
        self.data = data
        self.response = response
    }
}

extension ETagCacheEntry {
    /// The entry with the fields that a 304 brought (RFC 9111, 4.3.4 and 3.2): all but those that describe the body, which
    /// stays as it is.
    func freshened(by notModified: HTTPURLResponse) -> ETagCacheEntry? {
        let ofTheBody: Set<String> = [
            "content-encoding", "content-length", "content-range", "content-type", "transfer-encoding", "connection",
            "keep-alive", "trailer", "upgrade", "te", "proxy-connection", "etag",
        ]
        var fields: [String: String] = [:]
        for (name, value) in response.allHeaderFields {
            if let name = name as? String, let value = value as? String { fields[name] = value }
        }
        for (name, value) in notModified.allHeaderFields {
            guard let name = name as? String, let value = value as? String,
                !ofTheBody.contains(name.lowercased())
            else { continue }
            // One name, however it is spelt.
            for old in fields.keys where old.lowercased() == name.lowercased() { fields[old] = nil }
            fields[name] = value
        }
        guard let url = notModified.url ?? response.url,
            let response = HTTPURLResponse(
                url: url, statusCode: response.statusCode, httpVersion: "HTTP/1.1", headerFields: fields)
        else { return nil }
        return ETagCacheEntry(etag: etag, data: data, response: response)
    }
}

/// Keeps responses in memory, and lets those go first that were not used for the longest time.
public actor InMemoryETagStore: ETagStoreProtocol {
    private var entries: RecentlyUsed<ETagCacheEntry>

    /// Makes an empty store.
    ///
    /// - Parameters:
    ///   - maxEntries: How many responses are kept. None if it is not positive.
    ///   - maxBytes: How many bytes their bodies may have together; 16 MiB by default. A larger one is not kept.
    public init(maxEntries: Int = 100, maxBytes: Int = 16 * 1_024 * 1_024) {
        entries = RecentlyUsed(maximumCount: maxEntries, maximumCost: maxBytes)
    }

    public func cachedResponse(for key: String) -> ETagCacheEntry? {
        entries.value(for: key)
    }

    public func store(_ entry: ETagCacheEntry, for key: String) {
        entries.insert(entry, cost: entry.data.count, for: key)
    }

    public func remove(for key: String) {
        entries.remove(key)
    }

    public func removeAll() {
        entries.removeAll()
    }
}
