import HTTPTypes
import HoldfastBase
import HoldfastTransport
import HoldfastTrust

/// Sends requests of `holdfast get`, follows redirects, and records each step in a journal.
struct GetCarrier: DownloadCarrier {
    /// What happens to the bytes of an unfinished download.
    enum Resumption: Hashable, Sendable {
        /// The rules of the library: the download starts again if the file has changed.
        case automatic
        /// If the download would have to start again, it fails, so that the bytes are not lost.
        case keeps
        /// The bytes are replaced.
        case startsAgain
    }

    /// The result of one request.
    private enum Step<R: Sendable>: Sendable {
        case done(R)
        case redirected(RedirectChain)
    }

    private typealias Handler<R> = (HTTPResponse, inout HTTPBodyReader) async throws -> R

    let client: HTTPClient
    let body: HTTPBody?
    let redirects: RedirectPolicy
    let resumption: Resumption
    /// The only host that a redirect may lead to; `nil` for any.
    let onlyHost: CanonicalHost?
    let journal: GetJournal
    var now: @Sendable () -> ContinuousClock.Instant = { .now }

    nonisolated(nonsending) func carry<R: Sendable>(
        _ request: HTTPRequest, options: RequestOptions,
        handle: (HTTPResponse, inout HTTPBodyReader) async throws -> R
    ) async throws -> R {
        if resumption == .keeps, let reason = journal.lostPart { throw Self.restart(reason) }
        var options = options
        options.redirects = .deliver
        let deadline = options.totalTimeout.map { now() + $0 }
        var chain = RedirectChain(request, policy: redirects)
        while true {
            if let deadline { options.totalTimeout = max(.zero, now().duration(to: deadline)) }
            switch try await step(chain, options, handle) {
            case .done(let result): return result
            case .redirected(let next): chain = next
            }
        }
    }

    private nonisolated(nonsending) func step<R: Sendable>(
        _ chain: RedirectChain, _ options: RequestOptions, _ handle: Handler<R>
    ) async throws -> Step<R> {
        var request = chain.request
        if resumption == .startsAgain, !journal.hasAnswer {
            request.headerFields[.range] = nil
            request.headerFields[.ifRange] = nil
        }
        let sent = chain.keepsBody ? body : nil
        journal.sends(request, to: try RequestURL(request))
        return try await client.execute(request, body: sent, options: options) { response, reader in
            journal.received(response, over: reader.facts)
            var next = chain
            if try next.follow(response, canRepeatBody: sent?.isReplayable ?? true) {
                let url = try RequestURL(next.request)
                try refuseOtherHost(url)
                journal.follows(response.status.code, to: url)
                return .redirected(next)
            }
            journal.answered()
            try refuseRestart(response, to: request)
            return .done(try await handle(response, &reader))
        }
    }

    /// Throws if a redirect leads to another host, and `--pin` or `--cert` is for the host of the URL.
    private func refuseOtherHost(_ url: RequestURL) throws(GetFailure) {
        guard let onlyHost, url.host != onlyHost else { return }
        throw GetFailure(
            code: "redirectRefused",
            reason: "the server redirects to \(url.server), but --pin and --cert are for the host of the URL",
            status: .redirectRefused,
            remedy: "request that URL itself; without a client certificate, --policy can have pins for both hosts")
    }

    /// Throws if a response to a request for the missing bytes would make the download start again.
    private func refuseRestart(_ response: HTTPResponse, to request: HTTPRequest) throws(GetFailure) {
        guard resumption == .keeps, let validator = request.headerFields[.ifRange] else { return }
        let isSame =
            response.headerFields[values: .eTag] == [validator]
            || response.headerFields[values: .lastModified] == [validator]
        switch response.status.code {
        case 200 where isSame:
            throw Self.restart("the server sent the whole file instead of the missing bytes")
        // A range need not repeat a date (RFC 9110, 15.3.7).
        case 206 where isSame || (!validator.hasPrefix("\"") && !response.headerFields.contains(.lastModified)):
            return
        case 200, 206, 416:
            throw Self.restart("the file changed on the server since the download began")
        default: return
        }
    }

    private static func restart(_ reason: String) -> GetFailure {
        GetFailure(
            code: "contentChanged", reason: reason, status: .contentChanged,
            remedy: "the received bytes are kept; --force replaces them")
    }
}
