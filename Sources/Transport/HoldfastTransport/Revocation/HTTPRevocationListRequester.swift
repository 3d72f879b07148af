import HTTPTypes
public import HoldfastTrust

/// Fetches revocation lists over HTTP for a `RevocationEvaluator`.
///
/// ```swift
/// let evaluator = RevocationEvaluator(
///     lists: HTTPRevocationListRequester(allowsPlainHTTP: true), ocsp: HTTPOCSPRequester(allowsPlainHTTP: true))
/// let trust = TrustContext.policy(policy).checkingRevocation(with: evaluator)
/// ```
/// The requester has its own client without pins and revocation checks, so that one request never leads to another.
/// Redirects are not followed and compressed bodies are not requested. Reading stops at the size limit. The evaluator,
/// not the requester, caches lists.
///
/// May be used from any thread, and for several requests at once.
public final class HTTPRevocationListRequester: RevocationListRequester {
    private let transport: RevocationTransport

    /// Creates a requester.
    ///
    /// - Parameters:
    ///   - allowsPlainHTTP: Whether lists may be fetched without TLS. Almost all certificates name `http` addresses, so
    ///     with `false` hardly any list can be fetched. Lists are signed and cannot be changed in transit, but anyone
    ///     on the network path can see which authority is asked, and can suppress the response.
    ///   - allowsLocalServers: Whether servers on this machine and on local networks may be contacted. `false` by
    ///     default, for the reasons and with the rules of ``HTTPOCSPRequester``. Use `true` for a private certificate
    ///     authority.
    ///   - timeout: The maximum time for one list. Eight seconds by default, as the evaluator's own timeout, which also
    ///     applies.
    ///   - proxies: The proxies to use. None by default.
    ///   - anchors: The trust anchors for servers that use TLS.
    public convenience init(
        allowsPlainHTTP: Bool, allowsLocalServers: Bool = false, timeout: Duration = .seconds(8),
        proxies: ProxySelection = .none, anchors: TrustAnchors = .system
    ) {
        let configuration = RevocationTransport.configuration(
            allowsPlainHTTP: allowsPlainHTTP, allowsLocal: allowsLocalServers, proxies: proxies, anchors: anchors)
        self.init(
            client: HTTPClient(configuration: configuration), allowsPlainHTTP: allowsPlainHTTP,
            allowsLocalServers: allowsLocalServers, timeout: timeout)
    }

    package init(
        client: HTTPClient, allowsPlainHTTP: Bool, allowsLocalServers: Bool = false, timeout: Duration
    ) {
        transport = RevocationTransport(
            client: client, allowsPlainHTTP: allowsPlainHTTP, allowsLocal: allowsLocalServers, timeout: timeout,
            peer: "server of the list")
    }

    /// Fetches a list and returns the body of a response with status 200.
    ///
    /// - Throws: `RevocationListError` (from HoldfastTrust) with `noDistributionPoint`, `unreachable`, `timedOut` or
    ///   `tooLarge`.
    public func revocationList(at url: String, upTo limit: Int) async throws -> [UInt8] {
        var fields = HTTPFields()
        // RFC 2585, 4.2.
        fields[.accept] = "application/pkix-crl"
        do throws(RevocationTransport.Failure) {
            return try await transport.send(.get, to: url, fields, upTo: limit)
        } catch {
            switch error {
            case .unusableAddress:
                throw RevocationListError(.noDistributionPoint, "the address of the list cannot be used")
            case .unreachable(let reason): throw RevocationListError(.unreachable, reason)
            case .timedOut(let reason): throw RevocationListError(.timedOut, reason)
            case .tooLarge(let reason): throw RevocationListError(.tooLarge, reason)
            }
        }
    }
}
