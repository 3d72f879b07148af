#if canImport(FoundationNetworking)
public import FoundationNetworking
import HTTPTypes

extension HTTPURLResponse {
    /// What a pinned session calls the field `WWW-Authenticate` of a `401`.
    ///
    /// FoundationNetworking would answer that field by itself: by sending the request again over libcurl, unpinned, with a
    /// credential. So it never sees it.
    public static let authenticationField = "Holdfast-WWW-Authenticate"

    /// The server's `WWW-Authenticate`, whether the response is a pinned session's or not.
    public var wwwAuthenticate: String? {
        value(forHTTPHeaderField: Self.authenticationField) ?? value(forHTTPHeaderField: "WWW-Authenticate")
    }
}

extension HTTPResponse {
    /// The response without the field that makes FoundationNetworking send the request again. A server's own field of the
    /// name that it gets instead is left out.
    var hidingAuthentication: HTTPResponse {
        guard let hidden = HTTPField.Name(HTTPURLResponse.authenticationField) else { return self }
        var response = self
        response.headerFields[values: hidden] = headerFields[values: .wwwAuthenticate]
        response.headerFields[.wwwAuthenticate] = nil
        return response
    }
}
#endif
