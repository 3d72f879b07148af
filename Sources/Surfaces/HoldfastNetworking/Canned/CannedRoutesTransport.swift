public import Foundation

#if canImport(FoundationNetworking)
public import FoundationNetworking
#endif

/// A transport that answers each request with the canned response of the matching route, for tests and previews. It
/// sends nothing.
public struct CannedRoutesTransport: HTTPTransportProtocol {
    /// The handling of several matching routes.
    public enum Mode: Hashable, Sendable {
        /// The first matching route answers.
        case firstMatchWins
        /// The request fails.
        case requireUniqueMatch
    }

    /// An error when answering a request.
    ///
    /// - Remedy: Add a route that matches the request, or make the routes distinct.
    public enum Error: Swift.Error, Hashable, Sendable {
        /// The request has no URL.
        case missingRequestURL
        /// No route matches the request.
        case noMatch
        /// Several routes match the request.
        case ambiguousMatch(count: Int)
    }

    /// The routes, in order.
    public let routes: [CannedRoute]
    /// The handling of several matching routes.
    public let mode: Mode

    /// Makes a transport with these routes.
    public init(routes: [CannedRoute], mode: Mode = .firstMatchWins) {
        self.routes = routes
        self.mode = mode
    }

    /// Returns the response of the matching route. Throws ``Error``, ``RequestPatternError`` for an invalid pattern, or
    /// the error of ``CannedResponse/makeResponse(url:)``.
    public func data(for request: URLRequest) async throws -> (Data, HTTPURLResponse) {
        guard let url = request.url else { throw Error.missingRequestURL }
        let matches = try routes.filter { try $0.pattern.match(request) }
        guard let route = matches.first else { throw Error.noMatch }
        if mode == .requireUniqueMatch, matches.count > 1 { throw Error.ambiguousMatch(count: matches.count) }
        return (route.response.data, try route.response.makeResponse(url: url))
    }
}

/// A canned response and the pattern of the requests that receive it.
public struct CannedRoute: Sendable {
    /// The pattern of the requests.
    public let pattern: RequestPattern
    /// The response to matching requests.
    public let response: CannedResponse

    /// Makes a route.
    public init(pattern: RequestPattern, response: CannedResponse) {
        self.pattern = pattern
        self.response = response
    }
}
