public import Foundation

#if canImport(FoundationNetworking)
public import FoundationNetworking
#endif

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
