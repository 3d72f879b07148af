import Foundation
import HTTPTypes
import HoldfastTransport
import Synchronization

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// A request that may carry the access token. It names the token's field to the transport below and records which token
/// the response concerns.
///
/// The transports of this module treat the field as a credential on every redirect, whatever its name (RFC 9110, 15.4):
/// it stays with its origin. Other transports record nothing, and the URL of the response decides.
final class TokenCall: Sendable {
    /// What the response to a request concerns.
    struct Outcome: Sendable {
        /// The value of the token's field in the answered request; `nil` if it was absent.
        var token: String?
        /// Whether any redirect led to another origin (scheme, host or port).
        var hasLeftOrigin: Bool
    }

    /// The call of the current task. Transports that wrap other transports run in the same task.
    @TaskLocal static var current: TokenCall?

    private let field: String
    private let outer: TokenCall?
    private let reported = Mutex<Outcome?>(nil)

    private init(field: String, outer: TokenCall?) {
        self.field = field
        self.outer = outer
    }

    /// Sends a request. Rethrows the transport's error.
    static func send(
        _ request: URLRequest, tokenIn field: String, over transport: any HTTPTransportProtocol
    ) async throws -> (data: Data, response: HTTPURLResponse, outcome: Outcome) {
        let call = TokenCall(field: field, outer: current)
        let (data, response) = try await $current.withValue(call) { try await transport.data(for: request) }
        let outcome = call.reported.withLock(\.self) ?? Outcome(request, response, field: field)
        if let outer = call.outer, outer.field.lowercased() == field.lowercased() {
            outer.reported.withLock { $0 = outcome }
        }
        return (data, response, outcome)
    }

    /// The fields that carry a token in the current task's calls.
    static var credentialFields: Set<HTTPField.Name> {
        var names: Set<HTTPField.Name> = []
        var call = current
        while let one = call {
            if let name = HTTPField.Name(one.field) { names.insert(name) }
            call = one.outer
        }
        return names
    }

    /// Records the answered request: after redirects, the last one.
    static func answered(_ request: HTTPRequest, hasLeftOrigin: Bool) {
        guard let current else { return }
        let token = HTTPField.Name(current.field).flatMap { request.headerFields[$0] }
        current.reported.withLock { $0 = Outcome(token: token, hasLeftOrigin: hasLeftOrigin) }
    }

    /// Records that a redirect led to another origin, without the token.
    static func leftOrigin() {
        current?.reported.withLock { $0 = Outcome(token: nil, hasLeftOrigin: true) }
    }

    /// Returns whether two URLs have the same scheme, host and port (RFC 6454).
    static func isSameOrigin(_ one: URL?, _ other: URL?) -> Bool {
        guard let one, let other else { return false }
        guard let first = try? RequestURL(one.absoluteString), let second = try? RequestURL(other.absoluteString) else {
            return one == other
        }
        return first.origin == second.origin
    }
}

extension TokenCall.Outcome {
    /// Derives the outcome from the response of a transport that records nothing.
    fileprivate init(_ request: URLRequest, _ response: HTTPURLResponse, field: String) {
        hasLeftOrigin = response.url.map { !TokenCall.isSameOrigin($0, request.url) } ?? false
        token = hasLeftOrigin ? nil : request.value(forHTTPHeaderField: field)
    }
}
