import HTTPTypes
import HoldfastTrust
import Tracing

/// The HTTP connections of the requesters that ask authorities about revocation: the rules that are common to OCSP and
/// revocation lists.
struct RevocationTransport: Sendable {
    /// The reason why there is no usable response.
    enum Failure: Error {
        case unusableAddress
        case unreachable(String)
        case timedOut(String)
        case tooLarge(String)
    }

    let client: HTTPClient
    let allowsPlainHTTP: Bool
    let allowsLocal: Bool
    let timeout: Duration
    /// The peer's name in error messages.
    let peer: String

    /// Returns the configuration of a client without pins, revocation checks and redirects.
    static func configuration(
        allowsPlainHTTP: Bool, allowsLocal: Bool, proxies: ProxySelection, anchors: TrustAnchors
    ) -> TransportConfiguration {
        var configuration = TransportConfiguration(
            trust: .system(anchors: anchors), dangerouslyAllowsCleartext: allowsPlainHTTP)
        configuration.proxies = proxies
        configuration.refusesLocalAddresses = !allowsLocal
        // The peer receives only the request about a certificate: no trace context and no baggage.
        configuration.tracer = NoOpTracer()
        return configuration
    }

    /// Sends a request and returns the body of a response with status 200, which has at most `limit` bytes. The body is
    /// received as it is sent, without decompression, and reading stops at the limit.
    func send(
        _ method: HTTPRequest.Method, to url: String, _ fields: HTTPFields, body: [UInt8]? = nil, upTo limit: Int
    ) async throws(Failure) -> [UInt8] {
        let target: RequestURL
        do throws(TransportError) { target = try RequestURL(url) } catch { throw .unusableAddress }
        guard allowsLocal || !target.host.isLocal else {
            throw .unreachable("the \(peer) is on this machine or a local network, which is not allowed")
        }
        guard target.scheme == .https || (target.scheme == .http && (allowsPlainHTTP || target.host.isLoopback)) else {
            throw .unreachable("the \(peer) does not use TLS, which is not allowed")
        }
        let response: CollectedResponse
        do {
            response = try await client.collect(
                target.request(method, fields), body: body.map { .bytes($0) }, upTo: limit,
                options: RequestOptions(
                    idleTimeout: timeout, totalTimeout: timeout, redirects: .deliver, decompression: .off))
        } catch let error as TransportError {
            switch error.code {
            case .responseTooLarge: throw .tooLarge("the response is larger than \(limit) bytes")
            case .timedOut: throw .timedOut("there was no response within \(timeout)")
            default: throw .unreachable(error.reason)
            }
        } catch {
            throw .unreachable("\(error)")
        }
        guard response.response.status.code == 200 else {
            throw .unreachable("the \(peer) returned status \(response.response.status.code)")
        }
        return response.body
    }
}
