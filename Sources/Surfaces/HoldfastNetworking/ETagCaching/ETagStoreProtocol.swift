public import Foundation

#if canImport(FoundationNetworking)
public import FoundationNetworking
#endif

/// Stores responses for ``ETagTransport``. The keys come from ``ETagTransport/key(for:)``.
public protocol ETagStoreProtocol: Sendable {
    /// Returns the response stored for a key.
    func cachedResponse(for key: String) async -> ETagCacheEntry?
    /// Stores a response and replaces an earlier one.
    func store(_ entry: ETagCacheEntry, for key: String) async
    /// Removes a response.
    func remove(for key: String) async
    /// Removes all responses.
    func removeAll() async
}

/// A stored response with its entity tag.
public struct ETagCacheEntry: Sendable {
    /// The entity tag, including its quotation marks.
    public let etag: String
    /// The response body.
    public let data: Data
    /// The status and header fields of the response.
    public let response: HTTPURLResponse

    /// Makes an entry from a response and its entity tag.
    public init(etag: String, data: Data, response: HTTPURLResponse) {
        self.etag = etag
        self.data = data
        self.response = response
    }

    /// Returns the entry, updated with the fields of a 304 response (RFC 9111, 3.2 and 4.3.4). Fields that describe the
    /// body stay unchanged.
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
            // Field names are compared without case.
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

/// A store that keeps responses in memory and evicts the least recently used ones.
public actor InMemoryETagStore: ETagStoreProtocol {
    private var entries: RecentlyUsed<ETagCacheEntry>

    /// Makes an empty store.
    ///
    /// - Parameters:
    ///   - maxEntries: The maximum number of responses. If it is not positive, nothing is stored.
    ///   - maxBytes: The maximum total size of the bodies in bytes; 16 MiB by default. A larger body is not stored.
    public init(maxEntries: Int = 100, maxBytes: Int = 16 * 1_024 * 1_024) {
        entries = RecentlyUsed(maximumCount: maxEntries, maximumCost: maxBytes)
    }

    /// Returns the response stored for a key and marks it as recently used.
    public func cachedResponse(for key: String) -> ETagCacheEntry? {
        entries.value(for: key)
    }

    /// Stores a response and replaces an earlier one. Evicts others if a limit is exceeded.
    public func store(_ entry: ETagCacheEntry, for key: String) {
        entries.insert(entry, cost: entry.data.count, for: key)
    }

    /// Removes a response.
    public func remove(for key: String) {
        entries.remove(key)
    }

    /// Removes all responses.
    public func removeAll() {
        entries.removeAll()
    }
}
