public import Foundation

#if canImport(FoundationNetworking)
public import FoundationNetworking
#endif

/// A pattern that selects requests by method, host and path.
///
/// The regular expressions are those of `NSRegularExpression`. They match anywhere in the host or path; use `^` and `$`
/// to match the whole text. An expression such as `(a+)+$` can take extremely long for a long path that almost matches,
/// so never make expressions from data that a peer sends.
public struct RequestPattern: Sendable, Hashable {
    /// The method; `nil` matches any.
    public let method: HTTPMethod?
    /// The regular expression for the host; `nil` matches any.
    public let hostRegex: String?
    /// The regular expression for the path, which is percent-decoded like `URL.path`.
    public let pathRegex: String

    /// Makes a pattern from regular expressions. A pattern with an invalid expression matches nothing; ``match(_:)``
    /// and ``validate()`` throw for it.
    public init(method: HTTPMethod? = nil, hostRegex: String? = nil, pathRegex: String) {
        self.method = method
        self.hostRegex = hostRegex
        self.pathRegex = pathRegex
    }

    /// Makes a pattern for exactly this host, compared without case, and exactly this path.
    public init(method: HTTPMethod? = nil, host: String? = nil, path: String) {
        // `URL.path` has no trailing slash.
        let path = path.count > 1 && path.hasSuffix("/") ? String(path.dropLast()) : path
        self.init(
            method: method,
            hostRegex: host.map { "(?i)\\A" + NSRegularExpression.escapedPattern(for: $0) + "\\z" },
            pathRegex: "\\A" + NSRegularExpression.escapedPattern(for: path) + "\\z")
    }

    /// Returns whether the request matches. Returns `false` if an expression is invalid.
    public func matches(_ request: URLRequest) -> Bool {
        (try? match(request)) ?? false
    }

    /// Returns whether the request matches. Throws if an expression is invalid.
    public func match(_ request: URLRequest) throws(RequestPatternError) -> Bool {
        let host = try hostRegex.map { expression throws(RequestPatternError) in
            try Self.compile(expression, .host)
        }
        let path = try Self.compile(pathRegex, .path)
        guard let url = request.url else { return false }
        if let method, (request.httpMethod ?? "GET").uppercased() != method.rawValue { return false }
        if let host, !host.matches(url.host ?? "") { return false }
        return path.matches(url.path)
    }

    /// Throws if an expression is invalid.
    public func validate() throws(RequestPatternError) {
        if let hostRegex { _ = try Self.compile(hostRegex, .host) }
        _ = try Self.compile(pathRegex, .path)
    }

    private static func compile(
        _ expression: String, _ part: RequestPatternError.Part
    ) throws(RequestPatternError) -> NSRegularExpression {
        do {
            return try NSRegularExpression(pattern: expression)
        } catch {
            throw RequestPatternError(part: part, expression: expression)
        }
    }
}

extension NSRegularExpression {
    fileprivate func matches(_ text: String) -> Bool {
        firstMatch(in: text, range: NSRange(text.startIndex..<text.endIndex, in: text)) != nil
    }
}

/// An error for an invalid regular expression in a ``RequestPattern``.
///
/// - Remedy: Correct the regular expression.
public struct RequestPatternError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The expression of the pattern that is invalid.
    public enum Part: String, Hashable, Sendable {
        case host
        case path
    }

    /// The expression of the pattern that is invalid.
    public var part: Part
    /// The text of the expression.
    public var expression: String

    /// Makes the error.
    public init(part: Part, expression: String) {
        self.part = part
        self.expression = expression
    }

    /// A description with the invalid expression.
    public var description: String { "The \(part.rawValue) pattern is not a valid regular expression: \(expression)" }
}

/// A transport that passes on matching requests and fails all others.
public struct MatchingTransport: HTTPTransportProtocol {
    /// An error of a request that is not passed on.
    ///
    /// - Remedy: Send the request with another transport, or extend the pattern.
    public enum MatchingTransportError: Error, Hashable, Sendable {
        /// The request does not match the pattern.
        case notMatched
    }

    /// The pattern of the requests that are passed on.
    public let pattern: RequestPattern
    /// The transport that sends matching requests.
    public let transport: any HTTPTransportProtocol

    /// Wraps a transport.
    public init(pattern: RequestPattern, transport: any HTTPTransportProtocol) {
        self.pattern = pattern
        self.transport = transport
    }

    /// Sends a matching request. Throws ``MatchingTransportError``, ``RequestPatternError`` or the inner transport's
    /// error.
    public func data(for request: URLRequest) async throws -> (Data, HTTPURLResponse) {
        guard try pattern.match(request) else { throw MatchingTransportError.notMatched }
        return try await transport.data(for: request)
    }
}
