import Foundation
import HTTPTypes
import HoldfastTransport

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

extension URLRequest {
    /// Converts the request to Holdfast's own types. Throws if an unsupported property is set.
    func converted() throws -> (HTTPRequest, HTTPBody?, URL) {
        try refuseUnsupported()
        let head = try head()
        guard let url else { throw Self.missingURL }
        return (head, httpBody.map { .bytes(Array($0)) }, url)
    }

    /// Converts the method, URL and header fields.
    func head() throws(TransportError) -> HTTPRequest {
        guard let url else { throw Self.missingURL }
        // Holdfast's own parser guarantees that all code reads the same host.
        let parts = try RequestURL(url.absoluteString)
        guard let method = HTTPRequest.Method(rawValue: httpMethod ?? "GET") else {
            throw TransportError(.invalidRequest, in: .preparing, "The request method is not a valid token.")
        }
        var request = parts.request(method)
        for (name, value) in (allHTTPHeaderFields ?? [:]).sorted(by: { $0.key < $1.key }) {
            guard let name = HTTPField.Name(name), HTTPField.isValidValue(value) else {
                throw TransportError(.invalidRequest, in: .preparing, "A header field contains a forbidden character.")
            }
            request.headerFields.append(HTTPField(name: name, value: value))
        }
        return request
    }

    private static var missingURL: TransportError {
        TransportError(.invalidURL, in: .preparing, "The request has no URL.")
    }

    private func refuseUnsupported() throws(UnsupportedRequestError) {
        if httpBodyStream != nil { throw UnsupportedRequestError(property: "httpBodyStream") }
        if networkServiceType != .default { throw UnsupportedRequestError(property: "networkServiceType") }
        if !allowsCellularAccess { throw UnsupportedRequestError(property: "allowsCellularAccess") }
        if mainDocumentURL != nil { throw UnsupportedRequestError(property: "mainDocumentURL") }
        if !cachePolicy.needsNoCache { throw UnsupportedRequestError(property: "cachePolicy") }
        #if !canImport(FoundationNetworking)
        if !allowsExpensiveNetworkAccess { throw UnsupportedRequestError(property: "allowsExpensiveNetworkAccess") }
        if !allowsConstrainedNetworkAccess { throw UnsupportedRequestError(property: "allowsConstrainedNetworkAccess") }
        if assumesHTTP3Capable { throw UnsupportedRequestError(property: "assumesHTTP3Capable") }
        if requiresDNSSECValidation { throw UnsupportedRequestError(property: "requiresDNSSECValidation") }
        #endif
    }
}

extension URLRequest.CachePolicy {
    /// Whether the policy can be followed without a cache. "Only from the cache" could never succeed, and "from the
    /// cache regardless of age" would not be followed.
    var needsNoCache: Bool { self != .returnCacheDataDontLoad && self != .returnCacheDataElseLoad }
}

extension HTTPResponse {
    /// Converts the response to Foundation's type. Fields of the same name are joined, as in Foundation.
    func converted(url: URL) throws(NetworkError) -> HTTPURLResponse {
        var fields: [String: String] = [:]
        for field in headerFields {
            let name = field.name.rawName
            fields[name] = fields[name].map { $0 + ", " + field.value } ?? field.value
        }
        let response = HTTPURLResponse(
            url: url, statusCode: status.code, httpVersion: "HTTP/1.1", headerFields: fields)
        guard let response else { throw .invalidResponseType }
        return response
    }
}

extension CollectedResponse {
    /// Returns the URL after redirects; `nil` if there were none.
    func redirectedURL(from first: HTTPRequest) -> URL? {
        guard let request,
            request.scheme != first.scheme || request.authority != first.authority || request.path != first.path
        else { return nil }
        return request.absoluteURL
    }
}

extension HTTPRequest {
    /// The request's URL.
    var absoluteURL: URL? {
        URL(string: "\(scheme ?? "")://\(authority ?? "")\(path ?? "")")
    }
}

/// An error for a property of a `URLRequest` that Holdfast's transport does not support.
///
/// - Remedy: Remove the named property from the request.
public struct UnsupportedRequestError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The name of the property.
    public var property: String

    /// Makes the error.
    public init(property: String) {
        self.property = property
    }

    /// A description with the name of the property.
    public var description: String { "This transport does not support URLRequest.\(property)." }
}
