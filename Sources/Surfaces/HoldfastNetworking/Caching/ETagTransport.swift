import HoldfastBase
import Crypto
public import Foundation
import HoldfastTrust

#if canImport(FoundationNetworking)
public import FoundationNetworking
#endif

/// A transport that keeps the bodies of `GET` responses with an entity tag, and asks the server whether they are still the
/// current ones (RFC 9110, 13.1.2; RFC 9111, 4.3): on a 304 the caller gets the body that is kept, as a 200. Nothing is ever
/// answered without asking.
///
/// A response is kept for requests with the same URL and the *same header fields*, `Authorization` and `Cookie` among them
/// and whatever `Vary` names: what one user was sent is not given to another. Who a request is from must be in its fields, though. Where a
/// session's cookie store or a client certificate says it, use a store for each user.
///
/// Kept are complete responses of status 200 up to a size, unless `Cache-Control: no-store` or `Vary: *` forbids it. Requests
/// with conditions or ranges of their own pass through.
public struct ETagTransport: HTTPTransportProtocol {
    /// Fields that tell requests from each other and not responses; they do not count for the key unless `Vary` names them.
    static let ignoredFields: Set<String> = [
        "traceparent", "tracestate", "baggage", "x-request-id", "x-correlation-id",
    ]
    /// Fields by which a request decides itself what to do with a response that is not the whole one.
    private static let conditions = [
        "If-None-Match", "If-Match", "If-Modified-Since", "If-Unmodified-Since", "If-Range", "Range",
    ]

    private let inner: any HTTPTransportProtocol
    private let store: any ETagStoreProtocol
    private let maxEntryBytes: Int

    /// Wraps a transport.
    ///
    /// - Parameters:
    ///   - inner: What carries the requests. Holdfast's own transport by default.
    ///   - store: Where responses are kept.
    ///   - maxEntryBytes: The largest body that is kept; 1 MiB by default.
    public init(
        inner: any HTTPTransportProtocol = HTTPClientTransport(),
        store: any ETagStoreProtocol = InMemoryETagStore(), maxEntryBytes: Int = 1_024 * 1_024
    ) {
        self.inner = inner
        self.store = store
        self.maxEntryBytes = maxEntryBytes
    }

    /// Throws what the inner transport throws.
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
            // A 304 about another tag answers a question that was not asked. So does one from another URL, where a redirect leads
            // elsewhere now: tags are unique for one resource alone (RFC 9110, 8.8.3).
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

    /// The key under which the response to a request is kept; `nil` for requests whose responses are not. It is the URL and,
    /// behind a space, a digest of the request's header fields.
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
            // With its length, so that one list of fields does not read as another.
            for text in [name, value] {
                hash.update(data: Data("\(text.utf8.count):".utf8))
                hash.update(data: Data(text.utf8))
            }
        }
        let location = url.absoluteString.prefix { $0 != "#" }
        return "\(location) \(Array(hash.finalize()).hexadecimal)"
    }

    /// Keeps a response if that is allowed, forgets what was kept if it is not, and hands it on.
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

    /// The members of a list field, in small letters, without their arguments.
    private static func directives(of text: String?) -> Set<String> {
        Set(
            (text ?? "").lowercased().split(separator: ",").map { member in
                String(member.prefix { $0 != "=" }.filter { !$0.isWhitespace })
            })
    }
}

/// Entity tags (RFC 9110, 8.8.3).
enum EntityTag {
    /// The longest tag that is kept. Those of the field's servers have fewer than 100 bytes.
    static let longest = 1_024

    /// Whether a field holds one entity tag, and nothing that could not stand in `If-None-Match` as it is.
    static func isValid(_ text: String) -> Bool {
        let opaque = opaque(text).utf8
        guard text.utf8.count <= longest, opaque.count >= 2, opaque.first == 0x22, opaque.last == 0x22 else {
            return false
        }
        return opaque.dropFirst().dropLast().allSatisfy { $0 == 0x21 || (0x23...0x7E).contains($0) || $0 >= 0x80 }
    }

    /// Whether two tags are the same to the weak comparison (8.8.3.2), which is the one for `If-None-Match`.
    static func match(_ one: String, _ other: String) -> Bool {
        opaque(one) == opaque(other)
    }

    private static func opaque(_ text: String) -> Substring {
        text.hasPrefix("W/") ? text.dropFirst(2) : text[...]
    }
}
