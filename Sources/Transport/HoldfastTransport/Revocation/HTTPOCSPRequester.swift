import HTTPTypes
public import HoldfastTrust
import Tracing

/// Asks OCSP responders over HTTP, for an `OCSPRevocationEvaluator`.
///
/// ```swift
/// let evaluator = OCSPRevocationEvaluator(requester: HTTPOCSPRequester(allowsPlainHTTP: true))
/// let trust = TrustContext.policy(policy).checkingRevocation(with: evaluator)
/// ```
/// It has a client of its own, without pins and without revocation checks, so that no question leads to another. Redirects are not
/// followed (RFC 5019, 5 allows caches, and none of them needs one), no more is read than an answer may have, and nothing is kept: the
/// evaluator keeps the answers. May be used from any thread, for several questions at once.
public final class HTTPOCSPRequester: OCSPRequester {
    private let client: HTTPClient
    private let timeout: Duration
    private let allowsPlainHTTP: Bool
    private let allowsLocalResponders: Bool

    /// Makes a requester.
    ///
    /// - Parameters:
    ///   - allowsPlainHTTP: Whether responders may be asked without TLS, which is how certificates name them: with `false` next to no
    ///     certificate can be asked about. Answers are signed, so nobody on the way can change one; everybody on the way sees which
    ///     servers are asked about, and can withhold answers.
    ///   - allowsLocalResponders: Whether responders on this machine and on local networks may be asked: loopback, link-local and
    ///     private addresses, and names that resolve to such. A certificate names its responder, so whoever gets one issued could
    ///     have the app send requests to services that only the app can reach. `false` by default; `true` for an authority of
    ///     one's own. Behind a proxy, names are resolved by the proxy, and only addresses are looked at.
    ///   - timeout: The longest time for one answer. Five seconds by default, as the evaluator's own, which ends it, too.
    ///   - proxies: Which connections go through which proxy. None by default.
    ///   - anchors: The anchors for responders that are asked over TLS.
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

    /// What the requester's own client is made with.
    package static func transport(
        allowsPlainHTTP: Bool, allowsLocalResponders: Bool = false, proxies: ProxySelection, anchors: TrustAnchors
    ) -> TransportConfiguration {
        var configuration = TransportConfiguration(
            trust: .system(anchors: anchors), dangerouslyAllowsCleartext: allowsPlainHTTP)
        configuration.proxies = proxies
        configuration.refusesLocalAddresses = !allowsLocalResponders
        // A responder is asked about a certificate, and learns nothing else: no trace context, no baggage.
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

    /// Sends the request, and returns the body of an answer with status 200. Throws `OCSPError` (from HoldfastTrust) `unreachable`,
    /// `timedOut` or `tooLarge`.
    public func response(to request: [UInt8], at url: String) async throws -> [UInt8] {
        let target: RequestURL
        do throws(TransportError) { target = try RequestURL(url) } catch {
            throw OCSPError(.noResponder, "the responder's address cannot be used")
        }
        guard allowsLocalResponders || !target.host.isLocal else {
            throw OCSPError(
                .unreachable, "the responder is on this machine or a local network, where none may be asked")
        }
        guard target.scheme == .https || (target.scheme == .http && (allowsPlainHTTP || target.host.isLoopback)) else {
            throw OCSPError(.unreachable, "the responder is to be asked without TLS, which is not allowed")
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
                throw OCSPError(.tooLarge, "the answer has more than \(OCSPResponse.maximumSize) bytes")
            case .timedOut: throw OCSPError(.timedOut, "there was no answer within \(timeout)")
            default: throw OCSPError(.unreachable, error.reason)
            }
        }
        guard response.response.status.code == 200 else {
            throw OCSPError(.unreachable, "the responder answered with status \(response.response.status.code)")
        }
        return response.body
    }
}
