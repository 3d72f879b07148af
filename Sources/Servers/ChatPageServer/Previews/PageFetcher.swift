import HTTPTypes
import HoldfastTransport
import HoldfastTrust

/// Fetches a page or a picture from the Internet for a preview, within limits.
///
/// On each hop, the name is resolved once, each address is checked, and the connection goes to exactly the checked
/// address. A second lookup could return another address (DNS rebinding). No cookie and no credential is sent.
struct PageFetcher: Sendable {
    /// What is fetched.
    struct Kind: Hashable, Sendable {
        /// The maximum size in bytes.
        var bytes: Int
        /// Whether a larger body is cut instead of refused.
        var cuts: Bool
        /// The value of `Accept`.
        var accept: String

        /// A page: its head has the description.
        static let page = Kind(bytes: 512 << 10, cuts: true, accept: "text/html")
        /// A picture.
        static let image = Kind(
            bytes: 2 << 20, cuts: false, accept: "image/avif,image/webp,image/png,image/jpeg,image/gif")
    }

    /// A fetched body.
    struct Result: Hashable, Sendable {
        /// The URL after redirects.
        var url: RequestURL
        /// The media type without parameters, in lower case.
        var type: String
        /// The body.
        var body: [UInt8]
    }

    /// Why something was not fetched. The name is stable.
    enum Refusal: String, Error, Hashable, Sendable {
        /// The URL may not be fetched.
        case url
        /// The host has no address, or one that may not be fetched from.
        case address
        /// The server redirects too often, or without one valid location.
        case redirect
        /// The status is not 200.
        case status
        /// The media type is not the expected one.
        case type
        /// The body exceeds the limit.
        case size
        /// The time limit has passed.
        case time
        /// The connection failed.
        case connection
    }

    /// The maximum number of redirects.
    static let redirects = 3
    /// The time limit for all hops. Then there is no preview.
    static let timeLimit = Duration.seconds(5)

    private let client: HTTPClient
    private let resolver: AddressResolver
    private let time: PageServerTime
    /// Whether a URL may be fetched. Tests allow their own server.
    private let allows: @Sendable (RequestURL) -> Bool
    /// Chooses the address to connect to, as ``PreviewAddress/address(among:)``. Tests allow their own server.
    private let choose: @Sendable ([CanonicalHost]) -> CanonicalHost?

    /// Creates a fetcher. Certificates are verified with the system's roots.
    init(
        configuration: TransportConfiguration = PageFetcher.configuration, resolver: AddressResolver = .system,
        time: PageServerTime = .system,
        allows: @escaping @Sendable (RequestURL) -> Bool = { PreviewAddress.isAllowed($0) },
        choose: @escaping @Sendable ([CanonicalHost]) -> CanonicalHost? = { PreviewAddress.address(among: $0) }
    ) {
        client = HTTPClient(configuration: configuration)
        self.resolver = resolver
        self.time = time
        self.allows = allows
        self.choose = choose
    }

    /// The configuration of the client: short time limits, no reuse, no proxy.
    static var configuration: TransportConfiguration {
        var configuration = TransportConfiguration(
            connectTimeout: timeLimit, tlsTimeout: timeLimit, keepAlive: .zero, maximumConnectionsPerHost: 4,
            dangerouslyAllowsCleartext: true)
        configuration.refusesLocalAddresses = true
        configuration.limits.headBytes = 16 << 10
        configuration.limits.connections = 32
        return configuration
    }

    /// Fetches a URL.
    func fetch(_ text: String, _ kind: Kind) async throws(Refusal) -> Result {
        guard text.utf8.count <= PreviewAddress.maximumLength, let first = try? RequestURL(text) else { throw .url }
        let start = time.uptime()
        var url = first
        for _ in 0...Self.redirects {
            guard allows(url) else { throw .url }
            let left = Self.timeLimit - .milliseconds(time.uptime() - start)
            guard left > .zero else { throw .time }
            let address = try await address(of: url.host, within: left)
            let rest = Self.timeLimit - .milliseconds(time.uptime() - start)
            guard rest > .zero else { throw .time }
            switch try await step(url, at: address, kind, within: rest) {
            case .body(let result): return result
            case .redirect(let next): url = next
            }
        }
        throw .redirect
    }

    private enum Step: Sendable {
        case body(Result)
        case redirect(RequestURL)
    }

    private func address(of host: CanonicalHost, within limit: Duration) async throws(Refusal) -> CanonicalHost {
        let found: [CanonicalHost]
        if host.isIPLiteral {
            found = [host]
        } else {
            do { found = try await resolver.addresses(host, limit) } catch { throw .address }
        }
        guard let address = choose(found) else { throw .address }
        return address
    }

    private func step(
        _ url: RequestURL, at address: CanonicalHost, _ kind: Kind, within limit: Duration
    ) async throws(Refusal) -> Step {
        guard let target = try? ConnectAddress(address.text) else { throw .address }
        let options = RequestOptions(idleTimeout: limit, totalTimeout: limit, redirects: .deliver, address: target)
        let request = url.request(
            .get, [.accept: kind.accept, .acceptEncoding: "identity", .userAgent: "holdfast-link-preview"])
        do {
            return try await client.execute(request, options: options) { response, body in
                switch response.status.code {
                case 301, 302, 303, 307, 308: return .redirect(try Self.location(of: response, from: url))
                case 200: break
                default: throw Refusal.status
                }
                guard response.headerFields[.contentEncoding] == nil else { throw Refusal.type }
                let type = Self.mediaType(response)
                guard kind != .page || type == "text/html" else { throw Refusal.type }
                if let length = response.headerFields[.contentLength].flatMap({ Int($0) }), !kind.cuts,
                    length > kind.bytes
                {
                    throw Refusal.size
                }
                var bytes: [UInt8] = []
                while let part = try await body.next() {
                    let room = kind.bytes - bytes.count
                    guard kind.cuts || part.count <= room else { throw Refusal.size }
                    bytes += part.prefix(room)
                    if kind.cuts, bytes.count == kind.bytes { break }
                }
                return .body(Result(url: url, type: type, body: bytes))
            }
        } catch let refusal as Refusal {
            throw refusal
        } catch {
            throw .connection
        }
    }

    private static func location(of response: HTTPResponse, from url: RequestURL) throws(Refusal) -> RequestURL {
        let locations = response.headerFields[values: .location]
        guard locations.count == 1, locations[0].utf8.count <= PreviewAddress.maximumLength,
            let next = try? url.resolving(locations[0])
        else { throw .redirect }
        return next
    }

    private static func mediaType(_ response: HTTPResponse) -> String {
        let field = response.headerFields[.contentType] ?? ""
        return String(field.prefix { $0 != ";" && $0 != " " && $0 != "\t" }).lowercased()
    }
}
