#if canImport(FoundationNetworking)
import Foundation
import FoundationNetworking
import HTTPTypes
import HoldfastTransport
import HoldfastTrust

/// A request of a pinned session, sent over the session's client, with its redirects.
struct PinnedRequest: Sendable {
    let bridge: SessionBridge
    let asker: ChallengeAsker
    let request: URLRequest
    /// The body of an upload; `nil`: the request's own.
    var body: HTTPBody?

    /// What became of one exchange.
    private enum Step<R: Sendable>: Sendable {
        case done(R)
        case redirected(RedirectChain)
    }

    /// Sends the request, follows redirects as the delegate allows, and hands the last response to `handle`.
    nonisolated(nonsending) func run<R: Sendable>(
        onProgress: (@Sendable (TransferProgress) -> Void)? = nil,
        _ handle: (HTTPURLResponse, inout HTTPBodyReader) async throws -> R
    ) async throws -> R {
        let (request, settled) = try bridge.settings.applied(to: request)
        let (head, ownBody, url) = try request.converted()
        let body = body ?? ownBody
        var options = settled
        options.redirects = .deliver
        options.decompression = .on()
        options.onProgress = onProgress
        let deadline = options.totalTimeout.map { ContinuousClock.now + $0 }
        let client = bridge.client(for: asker)
        var redirects = bridge.redirects
        redirects.credentialFields.formUnion(TokenCall.credentialFields)
        var chain = RedirectChain(head, policy: redirects)
        while true {
            if let deadline { options.totalTimeout = max(.zero, ContinuousClock.now.duration(to: deadline)) }
            let address = chain.followed == 0 ? url : try Self.url(of: chain.request)
            switch try await step(client, chain, body, address, options, handle) {
            case .done(let result): return result
            case .redirected(let next): chain = next
            }
        }
    }

    private nonisolated(nonsending) func step<R: Sendable>(
        _ client: HTTPClient, _ chain: RedirectChain, _ body: HTTPBody?, _ url: URL, _ options: RequestOptions,
        _ handle: (HTTPURLResponse, inout HTTPBodyReader) async throws -> R
    ) async throws -> Step<R> {
        let target = try RequestURL(
            scheme: chain.request.scheme, authority: chain.request.authority, path: chain.request.path)
        let server = TrustSubject(host: target.host, port: target.port)
        // A task with a delegate of its own has a client of its own: it answers for no connection that others use.
        let id = asker.hasOwnDelegate ? nil : bridge.askers.enter(asker, for: server)
        defer { if let id { bridge.askers.leave(id, server) } }
        return try await client.execute(chain.request, body: chain.keepsBody ? body : nil, options: options) {
            response, reader in
            if let id { bridge.askers.answered(id, from: server) }
            let converted = try response.hidingAuthentication.converted(url: url)
            let patience = min(options.idleTimeout, options.totalTimeout ?? options.idleTimeout)
            var next = chain
            if try next.follow(response, canRepeatBody: body?.isReplayable ?? true),
                try await asks(&next, converted, within: patience)
            {
                return .redirected(next)
            }
            TokenCall.answered(chain.request, hasLeftOrigin: chain.hasLeftOrigin)
            return .done(try await handle(converted, &reader))
        }
    }

    /// Asks the delegate about a redirect. It may change header fields; another address or method is not its to choose here.
    private nonisolated(nonsending) func asks(
        _ chain: inout RedirectChain, _ response: HTTPURLResponse, within patience: Duration
    ) async throws -> Bool {
        var proposed = request
        proposed.url = try Self.url(of: chain.request)
        proposed.httpMethod = chain.request.method.rawValue
        if !chain.keepsBody { proposed.httpBody = nil }
        proposed.allHTTPHeaderFields = [:]
        for field in chain.request.headerFields {
            proposed.addValue(field.value, forHTTPHeaderField: field.name.rawName)
        }
        guard let answer = try await asker.redirected(by: response, to: proposed, within: patience) else {
            try Task.checkCancellation()
            return false
        }
        guard answer.url == proposed.url, answer.httpMethod == proposed.httpMethod else {
            throw UnsupportedRequestError(property: "url or httpMethod changed by willPerformHTTPRedirection")
        }
        if answer.allHTTPHeaderFields != proposed.allHTTPHeaderFields {
            chain.replaceFields(try answer.converted().0.headerFields)
        }
        return true
    }

    private static func url(of request: HTTPRequest) throws -> URL {
        let text = "\(request.scheme ?? "")://\(request.authority ?? "")\(request.path ?? "")"
        guard let url = URL(string: text) else {
            throw TransportError(.redirectRefused, in: .awaitingResponse, "The redirect's location is no URL.")
        }
        return url
    }
}
#endif
