import HTTPTypes
import HoldfastTransport
import HoldfastTrust

/// The server that the service calls, and the keys that it must have.
struct Upstream: Sendable {
    enum Result: Sendable {
        case answer(status: Int, body: [UInt8])
        /// Not one of the pins matches, or the certificate is not valid. No request was sent.
        case refused(TrustVerdict)
        case failed(String)
    }

    private let authority: String
    private let client: HTTPClient

    /// Creates the client, which keeps its connections. One for the whole service is enough.
    ///
    /// - Parameters:
    ///   - authority: The host, with a port if it is not 443.
    ///   - pins: The upstream's key and a backup key, as `sha256/BASE64`.
    ///   - anchors: The trusted roots.
    init(authority: String, pins: [String], anchors: TrustAnchors = .system) throws {
        let host = String(authority.prefix { $0 != ":" })
        let rule = try PinningRule(HostPattern(host), keys: pins.map { try SPKIDigest($0) })
        let policy = try PinningPolicy(name: "upstream", rules: [rule], requiresRuleForEveryHost: true)
        self.authority = authority
        client = HTTPClient(configuration: TransportConfiguration(trust: .policy(policy, anchors: anchors)))
    }

    /// Sends a GET request.
    func get(_ path: String) async -> Result {
        do {
            let request = HTTPRequest(method: .get, scheme: "https", authority: authority, path: path)
            let answer = try await client.collect(request, upTo: 1 << 20)
            return .answer(status: answer.response.status.code, body: answer.body)
        } catch let error as TransportError {
            return error.verdict.map { .refused($0) } ?? .failed(error.reason)
        } catch {
            return .failed("\(error)")
        }
    }

    func shutdown() async {
        await client.shutdown()
    }
}
