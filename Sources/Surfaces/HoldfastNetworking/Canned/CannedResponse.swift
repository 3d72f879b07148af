public import Foundation

#if canImport(FoundationNetworking)
public import FoundationNetworking
#endif

/// A response that is known beforehand, for tests and previews.
public struct CannedResponse: Sendable {
    /// Why no response can be made of it.
    public enum Error: Swift.Error, Hashable, Sendable {
        /// The status is none of 100 to 999, or Foundation does not take the rest.
        case failedToCreateHTTPURLResponse
        /// The text cannot be written in the encoding that was asked for.
        case failedToEncodeString
    }

    /// The body.
    public let data: Data
    /// The status.
    public let statusCode: Int
    /// The version of HTTP, as `HTTPURLResponse` takes it.
    public let httpVersion: String?
    /// The header fields.
    public let headerFields: [String: String]?
    private let isEncoded: Bool

    /// A response with these bytes.
    public init(
        data: Data, statusCode: Int = 200, httpVersion: String? = "HTTP/1.1", headerFields: [String: String]? = nil
    ) {
        self.init(data, statusCode, httpVersion, headerFields)
    }

    /// A response with this text. One that cannot be written in the encoding makes ``makeResponse(url:)`` throw.
    public init(
        string: String, encoding: String.Encoding = .utf8, statusCode: Int = 200, httpVersion: String? = "HTTP/1.1",
        headerFields: [String: String]? = nil
    ) {
        self.init(string.data(using: encoding), statusCode, httpVersion, headerFields)
    }

    private init(_ data: Data?, _ statusCode: Int, _ httpVersion: String?, _ headerFields: [String: String]?) {
        self.data = data ?? Data()
        self.statusCode = statusCode
        self.httpVersion = httpVersion
        self.headerFields = headerFields
        self.isEncoded = data != nil
    }

    /// The response to a request for this URL. Throws ``Error``.
    public func makeResponse(url: URL) throws -> HTTPURLResponse {
        guard isEncoded else { throw Error.failedToEncodeString }
        guard (100...999).contains(statusCode),
            let response = HTTPURLResponse(
                url: url, statusCode: statusCode, httpVersion: httpVersion, headerFields: headerFields)
        else { throw Error.failedToCreateHTTPURLResponse }
        return response
    }
}

/// A transport that answers every request with the same response, for tests and previews. Nothing is sent.
public struct CannedResponseTransport: HTTPTransportProtocol {
    /// Why a request is not answered.
    public enum Error: Swift.Error, Hashable, Sendable {
        /// The request has no URL.
        case missingRequestURL
    }

    /// The response.
    public let cannedResponse: CannedResponse

    /// Answers with this response.
    public init(cannedResponse: CannedResponse) {
        self.cannedResponse = cannedResponse
    }

    /// Answers with this text.
    public init(
        string: String, encoding: String.Encoding = .utf8, statusCode: Int = 200, httpVersion: String? = "HTTP/1.1",
        headerFields: [String: String]? = nil
    ) {
        self.init(
            cannedResponse: CannedResponse(
                string: string, encoding: encoding, statusCode: statusCode, httpVersion: httpVersion,
                headerFields: headerFields))
    }

    /// Throws ``Error``, or what ``CannedResponse/makeResponse(url:)`` throws.
    public func data(for request: URLRequest) async throws -> (Data, HTTPURLResponse) {
        guard let url = request.url else { throw Error.missingRequestURL }
        return (cannedResponse.data, try cannedResponse.makeResponse(url: url))
    }
}
