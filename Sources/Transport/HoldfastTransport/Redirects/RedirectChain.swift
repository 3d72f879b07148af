package import HTTPTypes

/// A request and the redirects that it went through, as a value.
package struct RedirectChain: Sendable {
    private struct Visit: Hashable, Sendable {
        var method: HTTPRequest.Method
        var url: RequestURL
    }

    /// The request to send now.
    package private(set) var request: HTTPRequest
    /// Whether the body goes along.
    package private(set) var keepsBody = true

    private let policy: RedirectPolicy
    private let refusesRevisits: Bool
    /// How many redirects were followed.
    package private(set) var followed = 0
    /// Whether a redirect has led to another origin than the one before it. It stays so when a later one leads back.
    package private(set) var hasLeftOrigin = false
    private var visited: Set<Visit> = []

    /// - Parameter refusesRevisits: Whether a redirect to a URL that has been requested already is a loop. It is, unless cookies can
    ///   make the server's next answer another one; then only the policy's limit ends a loop.
    package init(_ request: HTTPRequest, policy: RedirectPolicy, refusesRevisits: Bool = true) {
        self.request = request
        self.policy = policy
        self.refusesRevisits = refusesRevisits
    }

    /// Whether a response redirects in a way that a client can follow by itself.
    static func isRedirect(_ response: HTTPResponse) -> Bool {
        switch response.status.code {
        case 301, 302, 303, 307, 308: response.headerFields.contains(.location)
        default: false
        }
    }

    /// Goes where a response leads. Returns false if it is the caller's. Throws where it leads to what may not be
    /// followed.
    ///
    /// - Parameter canRepeatBody: Whether the request has no body, or one that can be sent again.
    package mutating func follow(_ response: HTTPResponse, canRepeatBody: Bool) throws(TransportError) -> Bool {
        guard policy.follows, Self.isRedirect(response) else { return false }
        let locations = response.headerFields[values: .location]
        guard locations.count == 1, let location = locations.first else {
            throw Self.refused("The redirect has \(locations.count) locations.")
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
                .tooManyRedirects, in: .awaitingResponse, "There are more than \(policy.limit) redirects.")
        }
        followed += 1
        changeMethod(response.status.code)
        guard !keepsBody || canRepeatBody else {
            throw TransportError(
                .bodyNotRepeatable, in: .sending, "A redirect wants the body again, which was streamed and is gone.")
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
                .redirectLoop, in: .awaitingResponse, "A redirect leads back to where the request has been.")
        }
        return true
    }

    /// Gives the request other header fields: whoever was asked about the redirect has changed them.
    package mutating func replaceFields(_ fields: HTTPFields) {
        request.headerFields = fields
    }

    /// RFC 9110, 15.4: a 303 asks for a GET; so do a 301 and a 302 after a POST, as everyone has read them ever since.
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
