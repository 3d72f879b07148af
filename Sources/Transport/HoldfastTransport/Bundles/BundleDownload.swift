import HTTPTypes
import HoldfastBase
import HoldfastTrust

/// Requests a bundle, a halt or a timestamp from a server once.
struct BundleDownload: Sendable {
    /// The server's response.
    enum Answer: Sendable {
        /// A bundle with its entity tag.
        case bundle([UInt8], tag: String?)
        /// The requested bundle has not changed.
        case notModified
    }

    /// The files of a bundle on the server.
    enum Resource: Hashable, Sendable {
        case bundle, halt, timestamp
    }

    let configuration: PinBundleFetcher.Configuration
    var resource = Resource.bundle

    /// Sends the request. `tag` is the entity tag of the known file, if there is one.
    func run(by client: HTTPClient, tag: String?) async throws(BundleFetchError) -> Answer {
        let limit =
            switch resource {
            case .bundle: min(max(0, configuration.maximumSize), SignedBundle.maximumSize)
            case .halt: BundleHalt.maximumSize
            case .timestamp: BundleTimestamp.maximumSize
            }
        let options = RequestOptions(
            idleTimeout: configuration.idleTimeout, totalTimeout: configuration.totalTimeout)
        let request = try request(tag: tag)
        let response: CollectedResponse
        do {
            response = try await client.collect(request, upTo: limit, options: options)
        } catch {
            if (error as? TransportError)?.code == .responseTooLarge {
                throw BundleFetchError(.tooLarge, "The response is larger than \(limit) bytes.")
            }
            throw BundleFetchError(.network, Printable.text("\(error)"))
        }
        let fields = response.response.headerFields
        switch response.response.status.code {
        case 200: return .bundle(response.body, tag: fields[.eTag])
        // A 304 without a conditional request says nothing about the bundle in force.
        case 304 where tag != nil: return .notModified
        case let status:
            throw BundleFetchError(
                .status, "The server responded with status \(status).", status: status,
                retryAfter: RetryAfter.seconds(fields[.retryAfter], now: configuration.clock.now()))
        }
    }

    private func request(tag: String?) throws(BundleFetchError) -> HTTPRequest {
        let url: RequestURL
        do throws(TransportError) { url = try RequestURL(configuration.address(of: resource)) } catch {
            throw BundleFetchError(.badAddress, error.reason)
        }
        guard url.scheme == .https || (url.scheme == .http && url.host.isLoopback) else {
            throw BundleFetchError(.badAddress, "The bundle URL must use https, or name this machine.")
        }
        var fields = configuration.fields
        fields[.ifNoneMatch] = tag
        return url.request(.get, fields)
    }
}
