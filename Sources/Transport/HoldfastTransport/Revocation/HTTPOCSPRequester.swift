import HTTPTypes
public import HoldfastTrust

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
    private let connection: RevocationTransport

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
        RevocationTransport.configuration(
            allowsPlainHTTP: allowsPlainHTTP, allowsLocal: allowsLocalResponders, proxies: proxies, anchors: anchors)
    }

    package init(
        client: HTTPClient, allowsPlainHTTP: Bool, allowsLocalResponders: Bool = false, timeout: Duration
    ) {
        connection = RevocationTransport(
            client: client, allowsPlainHTTP: allowsPlainHTTP, allowsLocal: allowsLocalResponders, timeout: timeout,
            peer: "responder")
    }

    /// Sends a request and returns the body of a response with status 200.
    ///
    /// - Throws: `OCSPError` (from HoldfastTrust) with `noResponder`, `unreachable`, `timedOut` or `tooLarge`.
    public func response(to request: [UInt8], at url: String) async throws -> [UInt8] {
        var fields = HTTPFields()
        fields[.contentType] = "application/ocsp-request"
        fields[.accept] = "application/ocsp-response"
        do throws(RevocationTransport.Failure) {
            return try await connection.send(
                .post, to: url, fields, body: request, upTo: OCSPResponse.maximumSize)
        } catch {
            switch error {
            case .unusableAddress: throw OCSPError(.noResponder, "the responder's address cannot be used")
            case .unreachable(let reason): throw OCSPError(.unreachable, reason)
            case .timedOut(let reason): throw OCSPError(.timedOut, reason)
            case .tooLarge(let reason): throw OCSPError(.tooLarge, reason)
            }
        }
    }
}
