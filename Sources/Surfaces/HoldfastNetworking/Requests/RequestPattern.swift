#if canImport(FoundationNetworking)
import Foundation
public import FoundationNetworking
#else
public import Foundation
#endif

/// Which requests are meant: by method, host and path.
///
/// The expressions are those of `NSRegularExpression`, and match anywhere in the host or the path: put `^` and `$` around what is to
/// be the whole. They are your own, and so is the time that they take: one such as `(a+)+$` can take longer than anybody waits
/// for a long path that nearly matches. Never make one from what a peer sends.
public struct RequestPattern: Sendable, Hashable {
    /// The method; `nil`: any.
    public let method: HTTPMethod?
    /// The expression for the host; `nil`: any.
    public let hostRegex: String?
    /// The expression for the path, percent-decoded as `URL.path` has it.
    public let pathRegex: String

    /// Requests whose host and path match these expressions. One that is no regular expression matches nothing:
    /// ``match(_:)`` and ``validate()`` say so.
    public init(method: HTTPMethod? = nil, hostRegex: String? = nil, pathRegex: String) {
        self.method = method
        self.hostRegex = hostRegex
        self.pathRegex = pathRegex
    }

    /// Requests for exactly this host, in capitals or not, and this path, whatever characters are in them.
    public init(method: HTTPMethod? = nil, host: String? = nil, path: String) {
        // `URL.path` has no slash at its end.
        let path = path.count > 1 && path.hasSuffix("/") ? String(path.dropLast()) : path
        self.init(
            method: method,
            hostRegex: host.map { "(?i)\\A" + NSRegularExpression.escapedPattern(for: $0) + "\\z" },
            pathRegex: "\\A" + NSRegularExpression.escapedPattern(for: path) + "\\z")
    }

    /// Whether a request is meant. `false` for every request where an expression is none.
    public func matches(_ request: URLRequest) -> Bool {
        (try? match(request)) ?? false
    }

    /// Whether a request is meant. Throws where an expression is none.
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

    /// Throws where an expression is none.
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

/// A regular expression of a ``RequestPattern`` cannot be used.
public struct RequestPatternError: Error, Hashable, Sendable, CustomStringConvertible {
    /// Which of the pattern's two expressions it is.
    public enum Part: String, Hashable, Sendable {
        case host
        case path
    }

    /// Which of the two it is.
    public var part: Part
    /// The expression as it was given.
    public var expression: String

    /// Makes the error.
    public init(part: Part, expression: String) {
        self.part = part
        self.expression = expression
    }

    public var description: String { "The pattern for the \(part.rawValue) is no regular expression: \(expression)" }
}
