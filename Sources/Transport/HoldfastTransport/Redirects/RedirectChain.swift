public import HTTPTypes

/// A request and the redirects that it followed.
package struct RedirectChain: Sendable {
    private struct Visit: Hashable, Sendable {
        var method: HTTPRequest.Method
        var url: RequestURL
    }

    /// The request to send now.
    package private(set) var request: HTTPRequest
    /// Whether the request still has its body.
    package private(set) var keepsBody = true

    private let policy: RedirectPolicy
    private let refusesRevisits: Bool
    /// The number of redirects that were followed.
    package private(set) var followed = 0
    /// Whether any redirect led to another origin. It stays true if a later redirect leads back.
    package private(set) var hasLeftOrigin = false
    private var visited: Set<Visit> = []

    /// Creates a chain.
    ///
    /// - Parameter refusesRevisits: Whether a redirect to an already requested URL counts as a loop. Pass false if
    ///   cookies can change the server's next response; then only the policy's limit ends a loop.
    package init(_ request: HTTPRequest, policy: RedirectPolicy, refusesRevisits: Bool = true) {
        self.request = request
        self.policy = policy
        self.refusesRevisits = refusesRevisits
    }

    /// Returns whether a response is a redirect that a client can follow automatically.
    static func isRedirect(_ response: HTTPResponse) -> Bool {
        switch response.status.code {
        case 301, 302, 303, 307, 308: response.headerFields.contains(.location)
        default: false
        }
    }

    /// Follows the redirect of a response. Returns false if the response must be returned to the caller.
    ///
    /// - Parameter canRepeatBody: Whether the request has no body, or one that can be sent again.
    /// - Throws: ``TransportError`` if the redirect must not be followed.
    package mutating func follow(_ response: HTTPResponse, canRepeatBody: Bool) throws(TransportError) -> Bool {
        guard policy.follows, Self.isRedirect(response) else { return false }
        let locations = response.headerFields[values: .location]
        guard locations.count == 1, let location = locations.first else {
            throw Self.refused("The redirect has \(locations.count) Location fields instead of one.")
        }
        let current = try RequestURL(request)
        visited.insert(Visit(method: request.method, url: current))
        let next = try current.resolving(location)
        guard next.scheme == .https || (next.scheme == .http && current.scheme == .http) else {
            throw Self.refused(
                "A redirect from \(current.scheme.rawValue): to \(next.scheme.rawValue): is not followed.")
        }
        guard followed < policy.limit else {
            throw TransportError(
                .tooManyRedirects, in: .awaitingResponse, "The request was redirected more than \(policy.limit) times.")
        }
        followed += 1
        changeMethod(response.status.code)
        guard !keepsBody || canRepeatBody else {
            throw TransportError(
                .bodyNotRepeatable, in: .sending,
                "The redirect requires the body again, but a streamed body cannot be repeated.")
        }
        if next.origin != current.origin {
            hasLeftOrigin = true
            withholdCredentials()
        }
        request.scheme = next.scheme.rawValue
        request.authority = next.authority
        request.path = next.target
        guard !refusesRevisits || !visited.contains(Visit(method: request.method, url: next)) else {
            throw TransportError(
                .redirectLoop, in: .awaitingResponse, "The redirect leads back to a URL that was already requested.")
        }
        return true
    }

    /// Replaces the header fields of the request, for example after a delegate changed them.
    package mutating func replaceFields(_ fields: HTTPFields) {
        request.headerFields = fields
    }

    /// Changes the method as in RFC 9110, 15.4: a 303 becomes a GET. A 301 or 302 after a POST becomes a GET too, as
    /// clients have always done.
    private mutating func changeMethod(_ status: Int) {
        let becomesGet =
            switch status {
            case 303: request.method != .head
            case 301, 302: request.method == .post
            default: false
            }
        guard becomesGet else { return }
        request.method = .get
        keepsBody = false
        for name in [
            HTTPField.Name.contentType, .contentLength, .contentEncoding, .contentLanguage, .contentLocation,
            .contentRange, .contentDisposition, .expect,
        ] {
            request.headerFields[name] = nil
        }
    }

    private mutating func withholdCredentials() {
        request.headerFields[.authorization] = nil
        request.headerFields[.cookie] = nil
        request.headerFields[.proxyAuthorization] = nil
        for name in policy.credentialFields { request.headerFields[name] = nil }
    }

    private static func refused(_ reason: String) -> TransportError {
        TransportError(.redirectRefused, in: .awaitingResponse, reason)
    }
}

/// The policy for redirects: `301`, `302`, `303`, `307` and `308` responses with a `Location`.
///
/// A followed redirect never leads from `https:` to `http:`. Its host is verified by its own entry of the trust policy,
/// on its own connection, as if the caller had named it. See RFC 9110, 15.4.
public struct RedirectPolicy: Hashable, Sendable {
    /// The maximum number of redirects per request. With zero, redirect responses are returned to the caller.
    ///
    /// - Error: `TransportError.Code.tooManyRedirects`
    public var limit: Int
    /// Fields that are removed when a redirect leads to another origin (scheme, host or port). `Authorization`,
    /// `Cookie` and `Proxy-Authorization` are always removed; add other fields that contain credentials.
    public var credentialFields: Set<HTTPField.Name>

    /// A policy that returns redirect responses to the caller. This is the default.
    public static let deliver = RedirectPolicy(limit: 0, credentialFields: [])

    /// Returns a policy that follows redirects up to a limit. A request that exceeds it fails with
    /// ``TransportError/Code-swift.struct/tooManyRedirects``.
    ///
    /// - Parameters:
    /// - limit: The maximum number of redirects per request. Ten by default: longer chains are usually loops.
    ///   - credentialFields: See ``credentialFields``.
    public static func follow(limit: Int = 10, credentialFields: Set<HTTPField.Name> = []) -> RedirectPolicy {
        RedirectPolicy(limit: max(0, limit), credentialFields: credentialFields)
    }

    /// Whether redirects are followed.
    var follows: Bool { limit > 0 }
}
