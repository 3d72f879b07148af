import HoldfastBase
import HTTPTypes
import HoldfastTrust

/// Asks a server for a bundle, once.
struct BundleDownload: Sendable {
    /// What the server said.
    enum Answer: Sendable {
        /// A bundle, with its entity tag.
        case bundle([UInt8], tag: String?)
        /// The one that was asked about is still the one.
        case notModified
    }

    let configuration: PinBundleFetcher.Configuration

    /// Asks. `tag` is that of the bundle in force, where there is one.
    func run(by client: HTTPClient, tag: String?) async throws(BundleFetchError) -> Answer {
        let limit = min(max(0, configuration.maximumSize), SignedBundle.maximumSize)
        let options = RequestOptions(
            idleTimeout: configuration.idleTimeout, totalTimeout: configuration.totalTimeout)
        let request = try request(tag: tag)
        let response: CollectedResponse
        do {
            response = try await client.collect(request, upTo: limit, options: options)
        } catch {
            if (error as? TransportError)?.code == .responseTooLarge {
                throw BundleFetchError(.tooLarge, "The answer has more than \(limit) bytes.")
            }
            throw BundleFetchError(.network, Printable.text("\(error)"))
        }
        let fields = response.response.headerFields
        switch response.response.status.code {
        case 200: return .bundle(response.body, tag: fields[.eTag])
        // One that comes without having been asked for says nothing about what is in force.
        case 304 where tag != nil: return .notModified
        case let status:
            throw BundleFetchError(
                .status, "The server answered with status \(status).", status: status,
                retryAfter: RetryAfter.seconds(fields[.retryAfter], now: configuration.clock.now()))
        }
    }

    private func request(tag: String?) throws(BundleFetchError) -> HTTPRequest {
        let url: RequestURL
        do throws(TransportError) { url = try RequestURL(configuration.url) } catch {
            throw BundleFetchError(.badAddress, error.reason)
        }
        guard url.scheme == .https || (url.scheme == .http && url.host.isLoopback) else {
            throw BundleFetchError(.badAddress, "A bundle is fetched over https, or on this machine.")
        }
        var fields = configuration.fields
        fields[.ifNoneMatch] = tag
        return url.request(.get, fields)
    }
}
