import HoldfastBase
import Crypto
public import Foundation

#if canImport(FoundationNetworking)
public import FoundationNetworking
#endif

/// A transport that caches the bodies of `GET` responses with an entity tag and revalidates each one with the server
/// (RFC 9110, 13.1.2; RFC 9111, 4.3). If the server answers 304, the caller receives the cached body with status 200.
/// No response is returned without asking the server.
///
/// A cached response is used only for requests with the same URL and the *same header fields*, including
/// `Authorization`, `Cookie` and all fields named by `Vary`. Responses are therefore not shared between users if the
/// fields identify the user. If a session's cookie store or a client certificate identifies the user, use one store per
/// user.
///
/// The transport caches complete responses with status 200 up to a maximum size, unless `Cache-Control: no-store` or
/// `Vary: *` forbids it. Requests with their own conditions or ranges pass through.
public struct ETagTransport: HTTPTransportProtocol {
    /// Header fields that differ between requests without affecting the response. They are not part of the key unless
    /// `Vary` names them.
    static let ignoredFields: Set<String> = [
        "traceparent", "tracestate", "baggage", "x-request-id", "x-correlation-id",
    ]
    /// Header fields with which a request itself handles partial or conditional responses.
    private static let conditions = [
        "If-None-Match", "If-Match", "If-Modified-Since", "If-Unmodified-Since", "If-Range", "Range",
    ]

    private let inner: any HTTPTransportProtocol
    private let store: any ETagStoreProtocol
    private let maxEntryBytes: Int

    /// Wraps a transport.
    ///
    /// - Parameters:
    ///   - inner: The transport that sends the requests. Holdfast's own transport by default.
    ///   - store: The store for responses.
    ///   - maxEntryBytes: The maximum size of a cached body in bytes; 1 MiB by default.
    public init(
        inner: any HTTPTransportProtocol = HTTPClientTransport(),
        store: any ETagStoreProtocol = InMemoryETagStore(), maxEntryBytes: Int = 1_024 * 1_024
    ) {
        self.inner = inner
        self.store = store
        self.maxEntryBytes = maxEntryBytes
    }

    /// Returns the response, from the cache if the server confirms it. Rethrows the inner transport's error.
    public func data(for request: URLRequest) async throws -> (Data, HTTPURLResponse) {
        let isConditional = Self.conditions.contains { request.value(forHTTPHeaderField: $0) != nil }
        guard let key = Self.key(for: request), !isConditional else {
            return try await inner.data(for: request)
        }
        let asksAnew =
            request.cachePolicy == .reloadIgnoringLocalCacheData
            || request.cachePolicy == .reloadIgnoringLocalAndRemoteCacheData
        let kept = asksAnew ? nil : await store.cachedResponse(for: key)
        if let kept, EntityTag.isValid(kept.etag) {
            var conditional = request
            conditional.setValue(kept.etag, forHTTPHeaderField: "If-None-Match")
            let (data, response) = try await inner.data(for: conditional)
            guard response.statusCode == 304 else { return await keeping(data, response, key) }
            // The 304 must be about the cached tag. A redirect may now lead to another URL, and tags are unique only
            // within one resource (RFC 9110, 8.8.3).
            if response.url == kept.response.url,
                response.value(forHTTPHeaderField: "ETag").map({ EntityTag.match($0, kept.etag) }) ?? true,
                let fresh = kept.freshened(by: response)
            {
                return await keeping(fresh.data, fresh.response, key)
            }
            await store.remove(for: key)
        }
        let (data, response) = try await inner.data(for: request)
        return await keeping(data, response, key)
    }

    /// Returns the cache key of a request: the URL and, after a space, a digest of the header fields. Returns `nil` for
    /// requests whose responses are not cached.
    public static func key(for request: URLRequest) -> String? {
        guard (request.httpMethod ?? "GET").uppercased() == "GET", request.httpBody == nil,
            request.httpBodyStream == nil,
            let url = request.url,
            !directives(of: request.value(forHTTPHeaderField: "Cache-Control")).contains("no-store")
        else { return nil }
        var hash = SHA256()
        let fields = (request.allHTTPHeaderFields ?? [:]).map { ($0.key.lowercased(), $0.value) }
            .filter { !ignoredFields.contains($0.0) && $0.0 != "if-none-match" }
            .sorted { $0 < $1 }
        for (name, value) in fields {
            // The lengths make the digest input unambiguous.
            for text in [name, value] {
                hash.update(data: Data("\(text.utf8.count):".utf8))
                hash.update(data: Data(text.utf8))
            }
        }
        let location = url.absoluteString.prefix { $0 != "#" }
        return "\(location) \(Array(hash.finalize()).hexadecimal)"
    }

    /// Caches a response if that is allowed, otherwise removes the cached one. Returns the response.
    private func keeping(
        _ data: Data, _ response: HTTPURLResponse, _ key: String
    ) async -> (Data, HTTPURLResponse) {
        guard response.statusCode == 200 else { return (data, response) }
        if let etag = response.value(forHTTPHeaderField: "ETag"), EntityTag.isValid(etag), data.count <= maxEntryBytes,
            !Self.directives(of: response.value(forHTTPHeaderField: "Cache-Control")).contains("no-store"),
            Self.directives(of: response.value(forHTTPHeaderField: "Vary")).isDisjoint(
                with: Self.ignoredFields.union(["*"]))
        {
            await store.store(ETagCacheEntry(etag: etag, data: data, response: response), for: key)
        } else {
            await store.remove(for: key)
        }
        return (data, response)
    }

    /// Returns the elements of a list field in lower case, without their arguments.
    private static func directives(of text: String?) -> Set<String> {
        Set(
            (text ?? "").lowercased().split(separator: ",").map { member in
                String(member.prefix { $0 != "=" }.filter { !$0.isWhitespace })
            })
    }
}

/// Entity tags (RFC 9110, 8.8.3).
enum EntityTag {
    /// The maximum length of a cached tag in bytes. Tags of real servers have fewer than 100 bytes. A response with a
    /// longer tag is not cached.
    static let longest = 1_024

    /// Whether the text is exactly one entity tag that can be sent in `If-None-Match`.
    static func isValid(_ text: String) -> Bool {
        let opaque = opaque(text).utf8
        guard text.utf8.count <= longest, opaque.count >= 2, opaque.first == 0x22, opaque.last == 0x22 else {
            return false
        }
        return opaque.dropFirst().dropLast().allSatisfy { $0 == 0x21 || (0x23...0x7E).contains($0) || $0 >= 0x80 }
    }

    /// Whether two tags match by weak comparison (RFC 9110, 8.8.3.2), which applies to `If-None-Match`.
    static func match(_ one: String, _ other: String) -> Bool {
        opaque(one) == opaque(other)
    }

    private static func opaque(_ text: String) -> Substring {
        text.hasPrefix("W/") ? text.dropFirst(2) : text[...]
    }
}
