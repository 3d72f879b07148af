public import Foundation

#if canImport(FoundationNetworking)
public import FoundationNetworking
#endif

/// A transport that answers each request with the canned response of the route that it matches, for tests and previews.
/// Nothing is sent.
public struct CannedRoutesTransport: HTTPTransportProtocol {
    /// What happens where several routes match.
    public enum Mode: Hashable, Sendable {
        /// The first of them answers.
        case firstMatchWins
        /// The request fails.
        case requireUniqueMatch
    }

    /// Why a request is not answered.
    public enum Error: Swift.Error, Hashable, Sendable {
        /// The request has no URL.
        case missingRequestURL
        /// No route matches.
        case noMatch
        /// More than one route matches.
        case ambiguousMatch(count: Int)
    }

    /// The routes, in order.
    public let routes: [CannedRoute]
    /// What happens where several match.
    public let mode: Mode

    /// Answers with these routes.
    public init(routes: [CannedRoute], mode: Mode = .firstMatchWins) {
        self.routes = routes
        self.mode = mode
    }

    /// Throws ``Error``, ``RequestPatternError`` for a route whose pattern is none, or what
    /// ``CannedResponse/makeResponse(url:)`` throws.
    public func data(for request: URLRequest) async throws -> (Data, HTTPURLResponse) {
        guard let url = request.url else { throw Error.missingRequestURL }
        let matches = try routes.filter { try $0.pattern.match(request) }
        guard let route = matches.first else { throw Error.noMatch }
        if mode == .requireUniqueMatch, matches.count > 1 { throw Error.ambiguousMatch(count: matches.count) }
        return (route.response.data, try route.response.makeResponse(url: url))
    }
}

/// A canned response and the requests that get it.
public struct CannedRoute: Sendable {
    /// Which requests.
    public let pattern: RequestPattern
    /// The response.
    public let response: CannedResponse

    /// Describes a route.
    public init(pattern: RequestPattern, response: CannedResponse) {
        self.pattern = pattern
        self.response = response
    }
}

/// A transport that lets those requests through that match a pattern, and fails the others.
public struct MatchingTransport: HTTPTransportProtocol {
    /// Why a request is not let through.
    public enum MatchingTransportError: Error, Hashable, Sendable {
        /// It does not match.
        case notMatched
    }

    /// Which requests are let through.
    public let pattern: RequestPattern
    /// What carries them.
    public let transport: any HTTPTransportProtocol

    /// Wraps a transport.
    public init(pattern: RequestPattern, transport: any HTTPTransportProtocol) {
        self.pattern = pattern
        self.transport = transport
    }

    /// Throws ``MatchingTransportError``, ``RequestPatternError``, or what the inner transport throws.
    public func data(for request: URLRequest) async throws -> (Data, HTTPURLResponse) {
        guard try pattern.match(request) else { throw MatchingTransportError.notMatched }
        return try await transport.data(for: request)
    }
}
