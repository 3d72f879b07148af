public import Foundation

#if canImport(FoundationNetworking)
public import FoundationNetworking
#endif

/// A predefined response for tests and previews.
public struct CannedResponse: Sendable {
    /// An error when making an `HTTPURLResponse`.
    ///
    /// - Remedy: Correct the canned response of the test.
    public enum Error: Swift.Error, Hashable, Sendable {
        /// The status is not between 100 and 999, or Foundation rejects the response.
        case failedToCreateHTTPURLResponse
        /// The text cannot be represented in the given encoding.
        case failedToEncodeString
    }

    /// The response body.
    public let data: Data
    /// The status code.
    public let statusCode: Int
    /// The HTTP version, as `HTTPURLResponse` expects it.
    public let httpVersion: String?
    /// The header fields.
    public let headerFields: [String: String]?
    private let isEncoded: Bool

    /// Makes a response with a binary body.
    public init(
        data: Data, statusCode: Int = 200, httpVersion: String? = "HTTP/1.1", headerFields: [String: String]? = nil
    ) {
        self.init(data, statusCode, httpVersion, headerFields)
    }

    /// Makes a response with a text body. If the text cannot be encoded, ``makeResponse(url:)`` throws.
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

    /// Returns the response for a URL. Throws ``Error``.
    public func makeResponse(url: URL) throws -> HTTPURLResponse {
        guard isEncoded else { throw Error.failedToEncodeString }
        guard (100...999).contains(statusCode),
            let response = HTTPURLResponse(
                url: url, statusCode: statusCode, httpVersion: httpVersion, headerFields: headerFields)
        else { throw Error.failedToCreateHTTPURLResponse }
        return response
    }
}

/// A transport that answers every request with the same response, for tests and previews. It sends nothing.
public struct CannedResponseTransport: HTTPTransportProtocol {
    /// An error when answering a request.
    ///
    /// - Remedy: Correct the request of the test.
    public enum Error: Swift.Error, Hashable, Sendable {
        /// The request has no URL.
        case missingRequestURL
    }

    /// The response to every request.
    public let cannedResponse: CannedResponse

    /// Makes a transport with this response.
    public init(cannedResponse: CannedResponse) {
        self.cannedResponse = cannedResponse
    }

    /// Makes a transport with this text as the body of every response.
    public init(
        string: String, encoding: String.Encoding = .utf8, statusCode: Int = 200, httpVersion: String? = "HTTP/1.1",
        headerFields: [String: String]? = nil
    ) {
        self.init(
            cannedResponse: CannedResponse(
                string: string, encoding: encoding, statusCode: statusCode, httpVersion: httpVersion,
                headerFields: headerFields))
    }

    /// Returns the response. Throws ``Error``, or the error of ``CannedResponse/makeResponse(url:)``.
    public func data(for request: URLRequest) async throws -> (Data, HTTPURLResponse) {
        guard let url = request.url else { throw Error.missingRequestURL }
        return (cannedResponse.data, try cannedResponse.makeResponse(url: url))
    }
}
