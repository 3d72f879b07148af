import HTTPTypes
public import HoldfastTrust
import Tracing

/// Sends OCSP requests over HTTP for an `OCSPRevocationEvaluator`.
///
/// ```swift
/// let evaluator = OCSPRevocationEvaluator(requester: HTTPOCSPRequester(allowsPlainHTTP: true))
/// let trust = TrustContext.policy(policy).checkingRevocation(with: evaluator)
/// ```
/// The requester has its own client without pins and revocation checks, so that one OCSP request never leads to
/// another. Redirects are not followed: RFC 5019, 5 permits caches, which need no redirects. Responses are limited to
/// the maximum size of an OCSP response. The evaluator, not the requester, caches responses.
///
/// May be used from any thread, and for several requests at once.
public final class HTTPOCSPRequester: OCSPRequester {
    private let client: HTTPClient
    private let timeout: Duration
    private let allowsPlainHTTP: Bool
    private let allowsLocalResponders: Bool

    /// Creates a requester.
    ///
    /// - Parameters:
    /// - allowsPlainHTTP: Whether responders may be contacted without TLS. Almost all certificates name `http`
    ///   responders, so with `false` hardly any certificate can be checked. Responses are signed and cannot be changed
    ///   in transit, but anyone on the network path can see which servers are checked, and can suppress responses.
    /// - allowsLocalResponders: Whether responders on this machine and on local networks may be contacted: loopback,
    ///   link-local and private addresses, and names that resolve to them. `false` by default, because a certificate
    ///   names its responder: an attacker with an issued certificate could otherwise make the app send requests to
    ///   services that only the app can reach. Use `true` for a private certificate authority. Behind a proxy, the
    ///   proxy resolves names, and only literal addresses are checked.
    /// - timeout: The maximum time for one response. Five seconds by default, as the evaluator's own timeout, which
    ///   also applies.
    /// - proxies: The proxies to use. None by default.
    /// - anchors: The trust anchors for responders that use TLS.
    public convenience init(
        allowsPlainHTTP: Bool, allowsLocalResponders: Bool = false, timeout: Duration = .seconds(5),
        proxies: ProxySelection = .none, anchors: TrustAnchors = .system
    ) {
        let configuration = Self.transport(
            allowsPlainHTTP: allowsPlainHTTP, allowsLocalResponders: allowsLocalResponders, proxies: proxies,
            anchors: anchors)
        self.init(
            client: HTTPClient(configuration: configuration), allowsPlainHTTP: allowsPlainHTTP,
            allowsLocalResponders: allowsLocalResponders, timeout: timeout)
    }

    /// Returns the configuration of the requester's own client.
    package static func transport(
        allowsPlainHTTP: Bool, allowsLocalResponders: Bool = false, proxies: ProxySelection, anchors: TrustAnchors
    ) -> TransportConfiguration {
        var configuration = TransportConfiguration(
            trust: .system(anchors: anchors), dangerouslyAllowsCleartext: allowsPlainHTTP)
        configuration.proxies = proxies
        configuration.refusesLocalAddresses = !allowsLocalResponders
        // The responder receives only the request about a certificate: no trace context and no baggage.
        configuration.tracer = NoOpTracer()
        return configuration
    }

    package init(
        client: HTTPClient, allowsPlainHTTP: Bool, allowsLocalResponders: Bool = false, timeout: Duration
    ) {
        self.client = client
        self.allowsPlainHTTP = allowsPlainHTTP
        self.allowsLocalResponders = allowsLocalResponders
        self.timeout = timeout
    }

    /// Sends a request and returns the body of a response with status 200.
    ///
    /// - Throws: `OCSPError` (from HoldfastTrust) with `noResponder`, `unreachable`, `timedOut` or `tooLarge`.
    public func response(to request: [UInt8], at url: String) async throws -> [UInt8] {
        let target: RequestURL
        do throws(TransportError) { target = try RequestURL(url) } catch {
            throw OCSPError(.noResponder, "the responder's address cannot be used")
        }
        guard allowsLocalResponders || !target.host.isLocal else {
            throw OCSPError(
                .unreachable, "the responder is on this machine or a local network, which is not allowed")
        }
        guard target.scheme == .https || (target.scheme == .http && (allowsPlainHTTP || target.host.isLoopback)) else {
            throw OCSPError(.unreachable, "the responder does not use TLS, which is not allowed")
        }
        var fields = HTTPFields()
        fields[.contentType] = "application/ocsp-request"
        fields[.accept] = "application/ocsp-response"
        let response: CollectedResponse
        do {
            response = try await client.collect(
                target.request(.post, fields), body: .bytes(request), upTo: OCSPResponse.maximumSize,
                options: RequestOptions(idleTimeout: timeout, totalTimeout: timeout))
        } catch let error as TransportError {
            switch error.code {
            case .responseTooLarge:
                throw OCSPError(.tooLarge, "the response is larger than \(OCSPResponse.maximumSize) bytes")
            case .timedOut: throw OCSPError(.timedOut, "there was no response within \(timeout)")
            default: throw OCSPError(.unreachable, error.reason)
            }
        }
        guard response.response.status.code == 200 else {
            throw OCSPError(.unreachable, "the responder returned status \(response.response.status.code)")
        }
        return response.body
    }
}
