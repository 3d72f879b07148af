import Foundation
import HTTPTypes
import HoldfastTransport
import Synchronization

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// One request that may carry the access token: names the token's field to the transport below, and learns from it which token
/// the answer is about.
///
/// The transports of this module treat the field as a credential on every redirect (RFC 9110, 15.4): it stays with its origin,
/// whatever it is called. A transport of another kind reports nothing, so that the response's URL decides.
final class TokenCall: Sendable {
    /// What the answer to a request is about.
    struct Outcome: Sendable {
        /// What the token's field of the answered request held; `nil` where it was absent.
        var token: String?
        /// Whether a redirect has led to another origin (scheme, host or port), on the way or in the end.
        var hasLeftOrigin: Bool
    }

    /// The call that the running task makes. Transports that wrap others run in the same task.
    @TaskLocal static var current: TokenCall?

    private let field: String
    private let outer: TokenCall?
    private let reported = Mutex<Outcome?>(nil)

    private init(field: String, outer: TokenCall?) {
        self.field = field
        self.outer = outer
    }

    /// Sends a request. Throws what the transport throws.
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

    /// The fields that hold a token in the running task's calls.
    static var credentialFields: Set<HTTPField.Name> {
        var names: Set<HTTPField.Name> = []
        var call = current
        while let one = call {
            if let name = HTTPField.Name(one.field) { names.insert(name) }
            call = one.outer
        }
        return names
    }

    /// Notes which request was answered: after redirects the last one.
    static func answered(_ request: HTTPRequest, hasLeftOrigin: Bool) {
        guard let current else { return }
        let token = HTTPField.Name(current.field).flatMap { request.headerFields[$0] }
        current.reported.withLock { $0 = Outcome(token: token, hasLeftOrigin: hasLeftOrigin) }
    }

    /// Notes that a redirect has led the request to another origin, without the token.
    static func leftOrigin() {
        current?.reported.withLock { $0 = Outcome(token: nil, hasLeftOrigin: true) }
    }

    /// Whether two URLs have scheme, host and port in common (RFC 6454).
    static func isSameOrigin(_ one: URL?, _ other: URL?) -> Bool {
        guard let one, let other else { return false }
        guard let first = try? RequestURL(one.absoluteString), let second = try? RequestURL(other.absoluteString) else {
            return one == other
        }
        return first.origin == second.origin
    }
}

extension TokenCall.Outcome {
    /// What can be told by the response of a transport that reports nothing.
    fileprivate init(_ request: URLRequest, _ response: HTTPURLResponse, field: String) {
        hasLeftOrigin = response.url.map { !TokenCall.isSameOrigin($0, request.url) } ?? false
        token = hasLeftOrigin ? nil : request.value(forHTTPHeaderField: field)
    }
}
