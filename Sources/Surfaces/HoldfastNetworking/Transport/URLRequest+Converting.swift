import Foundation
import HTTPTypes
import HoldfastTransport

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

extension URLRequest {
    /// The request in Holdfast's own types. Throws where a property is set that cannot be honoured.
    func converted() throws -> (HTTPRequest, HTTPBody?, URL) {
        try refuseUnsupported()
        let head = try head()
        guard let url else { throw Self.missingURL }
        return (head, httpBody.map { .bytes(Array($0)) }, url)
    }

    /// Method, URL and header fields in Holdfast's own type.
    func head() throws(TransportError) -> HTTPRequest {
        guard let url else { throw Self.missingURL }
        // Taken apart by Holdfast's own rules: a URL means one host, whoever reads it.
        let parts = try RequestURL(url.absoluteString)
        guard let method = HTTPRequest.Method(rawValue: httpMethod ?? "GET") else {
            throw TransportError(.invalidRequest, in: .preparing, "The method is no token.")
        }
        var request = parts.request(method)
        for (name, value) in (allHTTPHeaderFields ?? [:]).sorted(by: { $0.key < $1.key }) {
            guard let name = HTTPField.Name(name), HTTPField.isValidValue(value) else {
                throw TransportError(.invalidRequest, in: .preparing, "A header field has a forbidden character.")
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
    /// Whether the policy can be kept to without a cache: "only from the cache" could never succeed, and "from the cache,
    /// however old" would not do what it says.
    var needsNoCache: Bool { self != .returnCacheDataDontLoad && self != .returnCacheDataElseLoad }
}

extension HTTPResponse {
    /// The response in Foundation's type. Fields of one name are joined, as Foundation does it.
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
    /// Where the redirects of a request have led; `nil` where there were none.
    func redirectedURL(from first: HTTPRequest) -> URL? {
        guard let request,
            request.scheme != first.scheme || request.authority != first.authority || request.path != first.path
        else { return nil }
        return request.absoluteURL
    }
}

extension HTTPRequest {
    /// Where the request goes.
    var absoluteURL: URL? {
        URL(string: "\(scheme ?? "")://\(authority ?? "")\(path ?? "")")
    }
}

/// A property of a `URLRequest` is set that Holdfast's transport cannot honour.
public struct UnsupportedRequestError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The property's name.
    public var property: String

    /// Names the property.
    public init(property: String) {
        self.property = property
    }

    public var description: String { "URLRequest.\(property) cannot be honoured by this transport." }
}
