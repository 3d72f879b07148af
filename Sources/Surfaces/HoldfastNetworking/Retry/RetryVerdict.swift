import Foundation
import HoldfastTransport
import HoldfastTrust

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// The chance of another attempt after an error.
enum RetryVerdict: Hashable, Sendable {
    /// The failure is final, whatever a policy says: a refused server, refused cleartext or a cancelled caller.
    case never
    /// Another attempt would fail in the same way.
    case futile
    /// Another attempt may succeed.
    case worthwhile

    init(_ error: any Error) {
        self.init(error, depth: 0)
    }

    private init(_ error: any Error, depth: Int) {
        switch error {
        case is CancellationError, is TrustFinding, is ServerTrustError, is UnbridgedSessionError: self = .never
        case let error as TransportError: self.init(error)
        case NetworkError.httpStatusError(let status): self.init(status)
        case is NetworkError, is UnsupportedRequestError, is UnsupportedConfigurationError, is KeyChainStoreError,
            is RequestPatternError, is EncodingError, is DecodingError:
            self = .futile
        case let error as URLError: self.init(error.code, error.errorUserInfo[NSUnderlyingErrorKey], depth)
        default:
            // An unknown error is retried, unless it wraps a final one.
            self = Self.underlying((error as NSError).userInfo[NSUnderlyingErrorKey], depth) ?? .worthwhile
        }
    }

    private init(_ status: HTTPStatusError) {
        switch status {
        case .rateLimited, .internalServerError, .serviceUnavailable, .serverError: self = .worthwhile
        case .unauthorized, .forbidden, .notFound, .clientError, .redirect: self = .futile
        }
    }

    private init(_ error: TransportError) {
        guard error.verdict == nil else {
            self = .never
            return
        }
        switch error.code {
        case .trustRefused, .cleartextRefused, .localAddressRefused, .cancelled: self = .never
        case .connectionRefused, .noConnectivity, .unresolvedHost, .timedOut, .connectionClosed:
            self = .worthwhile
        case .proxyFailed:
            // A proxy that requires a password or violates its protocol will do so again.
            switch error.proxy?.code {
            case nil, .refused, .closed, .timedOut: self = .worthwhile
            default: self = .futile
            }
        default: self = .futile
        }
    }

    private init(_ code: URLError.Code, _ underlying: Any?, _ depth: Int) {
        switch code {
        // A delegate's refusal may also appear as `cancelled`.
        case .cancelled, .userCancelledAuthentication, .userAuthenticationRequired, .secureConnectionFailed,
            .serverCertificateHasBadDate, .serverCertificateUntrusted, .serverCertificateHasUnknownRoot,
            .serverCertificateNotYetValid, .clientCertificateRejected, .clientCertificateRequired,
            .appTransportSecurityRequiresSecureConnection:
            self = .never
        case .timedOut, .cannotFindHost, .cannotConnectToHost, .networkConnectionLost, .dnsLookupFailed,
            .notConnectedToInternet, .internationalRoamingOff, .callIsActive, .dataNotAllowed,
            .backgroundSessionInUseByAnotherProcess:
            self = Self.underlying(underlying, depth) ?? .worthwhile
        default: self = .futile
        }
    }

    /// Returns `never` if a wrapped error is final, otherwise `nil`. The caller's own code can wrap errors in each
    /// other, so at most eight levels are examined.
    private static func underlying(_ error: Any?, _ depth: Int) -> RetryVerdict? {
        guard depth < 8, let error = error as? any Error else { return nil }
        return RetryVerdict(error, depth: depth + 1) == .never ? .never : nil
    }
}

extension TransportError {
    /// Whether the request failed before a connection was established, so the server cannot have received it.
    var happenedBeforeSending: Bool {
        switch phase {
        case .preparing, .waiting, .connecting, .proxy, .tls: true
        default: false
        }
    }
}
