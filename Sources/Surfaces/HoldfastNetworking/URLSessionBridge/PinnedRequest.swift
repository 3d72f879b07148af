#if canImport(FoundationNetworking)
import Foundation
public import FoundationNetworking
import HTTPTypes
import HoldfastTransport
import HoldfastTrust
import Synchronization

/// A request of a pinned session, sent over the session's client, with its redirects.
struct PinnedRequest: Sendable {
    let bridge: SessionBridge
    let asker: ChallengeAsker
    let request: URLRequest
    /// The body of an upload; `nil` uses the request's own body.
    var body: HTTPBody?

    /// The result of one exchange.
    private enum Step<R: Sendable>: Sendable {
        case done(R)
        case redirected(RedirectChain)
    }

    private typealias Handler<R> = (HTTPResponse, HTTPURLResponse, inout HTTPBodyReader) async throws -> R

    /// Sends the request, follows redirects as the delegate allows, and calls `handle` with the last response and its
    /// decompressed body.
    nonisolated(nonsending) func run<R: Sendable>(
        onProgress: (@Sendable (TransferProgress) -> Void)? = nil,
        _ handle: (HTTPURLResponse, inout HTTPBodyReader) async throws -> R
    ) async throws -> R {
        let (request, settled) = try bridge.settings.applied(to: request)
        let (head, ownBody, url) = try request.converted()
        var options = settled
        options.decompression = .on()
        options.onProgress = onProgress
        return try await run(head, body ?? ownBody, url, options) { _, response, reader in
            try await handle(response, &reader)
        }
    }

    private nonisolated(nonsending) func run<R: Sendable>(
        _ head: HTTPRequest, _ body: HTTPBody?, _ url: URL, _ settled: RequestOptions, _ handle: Handler<R>
    ) async throws -> R {
        var options = settled
        options.redirects = .deliver
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
        _ handle: Handler<R>
    ) async throws -> Step<R> {
        let target = try RequestURL(chain.request)
        let server = TrustSubject(host: target.host, port: target.port)
        // A task with its own delegate has its own client, so it never decides about connections of other tasks.
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
            return .done(try await handle(response, converted, &reader))
        }
    }

    /// Downloads to a file, by the rules of ``HTTPClient/download(_:to:options:)``. Rethrows its errors.
    ///
    /// - Returns: The last response. It is a `206` if bytes of an earlier call were kept.
    nonisolated(nonsending) func download(
        to path: String, upTo limit: Int64, onProgress: (@Sendable (TransferProgress) -> Void)?
    ) async throws -> HTTPURLResponse {
        let (request, settled) = try bridge.settings.applied(to: request)
        let (head, body, url) = try request.converted()
        guard body == nil else {
            throw TransferError(.invalidRequest, "A download must be a GET request without a body.")
        }
        let options = DownloadOptions(
            idleTimeout: settled.idleTimeout, totalTimeout: settled.totalTimeout, maximumBytes: limit, retry: .never,
            onProgress: onProgress)
        let carrier = Carrier(request: self, url: url, settled: settled)
        let file = try await bridge.client(for: asker).download(head, to: path, options: options, over: carrier)
        guard let response = carrier.last.withLock(\.self) else { return try file.response.converted(url: url) }
        return response
    }

    /// Sends the requests of a download as requests of the session.
    private final class Carrier: DownloadCarrier {
        let last = Mutex<HTTPURLResponse?>(nil)
        private let request: PinnedRequest
        private let url: URL
        private let settled: RequestOptions

        init(request: PinnedRequest, url: URL, settled: RequestOptions) {
            self.request = request
            self.url = url
            self.settled = settled
        }

        nonisolated(nonsending) func carry<R: Sendable>(
            _ head: HTTPRequest, options: RequestOptions,
            handle: (HTTPResponse, inout HTTPBodyReader) async throws -> R
        ) async throws -> R {
            var options = options
            options.waitsForConnectivity = settled.waitsForConnectivity
            return try await request.run(head, nil, url, options) { response, converted, reader in
                last.withLock { $0 = converted }
                return try await handle(response, &reader)
            }
        }
    }

    /// Asks the delegate about a redirect. The delegate may change header fields, but not the URL or the method.
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
        guard let url = request.absoluteURL else {
            throw TransportError(.redirectRefused, in: .awaitingResponse, "The redirect location is not a valid URL.")
        }
        return url
    }
}

extension HTTPBodyReader {
    /// Returns the rest of the body. Throws `responseTooLarge` if it exceeds `limit` bytes.
    mutating func collect(upTo limit: Int) async throws -> Data {
        var data = Data()
        while let part = try await next() {
            guard part.count <= limit - data.count else {
                throw TransportError(.responseTooLarge, in: .receiving, "The body is larger than \(limit) bytes.")
            }
            data.append(contentsOf: part)
        }
        return data
    }
}

extension HTTPURLResponse {
    /// The name under which a pinned session delivers the `WWW-Authenticate` field of a `401`.
    ///
    /// FoundationNetworking would react to the original field by sending the request again over libcurl, without pins
    /// and with a credential. The field is therefore renamed.
    public static let authenticationField = "Holdfast-WWW-Authenticate"

    /// The server's `WWW-Authenticate` value, for responses of pinned and other sessions.
    public var wwwAuthenticate: String? {
        value(forHTTPHeaderField: Self.authenticationField) ?? value(forHTTPHeaderField: "WWW-Authenticate")
    }
}

extension HTTPResponse {
    /// The response without the field that makes FoundationNetworking send the request again. A server's own field with
    /// the replacement name is removed.
    var hidingAuthentication: HTTPResponse {
        guard let hidden = HTTPField.Name(HTTPURLResponse.authenticationField) else { return self }
        var response = self
        response.headerFields[values: hidden] = headerFields[values: .wwwAuthenticate]
        response.headerFields[.wwwAuthenticate] = nil
        return response
    }
}
#endif
