public import Foundation

#if canImport(FoundationNetworking)
public import FoundationNetworking
#endif

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
