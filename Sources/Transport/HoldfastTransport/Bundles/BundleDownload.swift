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

/// The entity tag of the stored bundle, in a file next to it.
///
/// The tag belongs to the bundle's bytes and is sent only while these bytes are in force, so that a lost bundle is
/// fetched again. A tag is used for one day: a server that once sent a wrong tag must not suppress all later bundles.
struct BundleTag: Hashable, Sendable {
    /// The maximum length of a tag, in bytes. Longer tags are not stored.
    static let maximumLength = 1_024
    /// The time for which a tag is sent, in seconds.
    static let lifetime: Int64 = 86_400

    /// The tag as the server sent it, including its quotes.
    var text: String
    /// The digest of the bundle's bytes.
    var digest: SHA256Hash
    /// The time at which the bundle was received.
    var time: Timestamp

    /// Creates a record of a server's tag for a bundle; `nil` if the tag is too long or not a single entity tag (RFC
    /// 9110, 8.8.3). Other values have another meaning in `If-None-Match`: a server may answer `*` or a list with 304
    /// for any bundle.
    init?(_ text: String?, for bundle: [UInt8], at time: Timestamp) {
        guard let text, Self.isTag(text) else { return nil }
        self.text = text
        self.digest = SHA256Hash(hashing: bundle)
        self.time = time
    }

    private static func isTag(_ text: String) -> Bool {
        text.utf8.count <= maximumLength
            && EntityValidator.isStrongTag(text.hasPrefix("W/") ? text.dropFirst(2) : text[...])
    }

    /// Parses a file; `nil` if it is invalid.
    init?(file: [UInt8]) {
        let lines = String(decoding: file, as: UTF8.self).split(separator: "\n", omittingEmptySubsequences: false)
        guard lines.count == 4, lines[3].isEmpty, let digest = SHA256Hash(base64: String(lines[0])),
            Self.isTag(String(lines[1])), let seconds = Int64(lines[2])
        else { return nil }
        self.text = String(lines[1])
        self.digest = digest
        // The limits prevent an overflow when times are subtracted.
        self.time = Timestamp(secondsSince1970: min(max(seconds, -(1 << 40)), 1 << 40))
    }

    /// The contents of the file.
    var file: [UInt8] { Array("\(digest.base64)\n\(text)\n\(time.secondsSince1970)\n".utf8) }

    /// Returns whether the tag belongs to these bytes.
    func isFor(_ bundle: [UInt8]) -> Bool { SHA256Hash(hashing: bundle) == digest }

    /// Returns whether the tag may be sent. If the clock was set back, the tag is not fresh.
    func isFresh(at now: Timestamp) -> Bool {
        (0..<Self.lifetime).contains(now.secondsSince1970 - time.secondsSince1970)
    }
}
