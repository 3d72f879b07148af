public import Foundation

#if canImport(FoundationNetworking)
public import FoundationNetworking
#endif

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
