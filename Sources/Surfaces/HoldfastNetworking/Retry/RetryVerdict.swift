import Foundation
import HoldfastTransport
import HoldfastTrust

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// What an error says about another attempt.
enum RetryVerdict: Hashable, Sendable {
    /// A server that was refused, cleartext that was refused, a caller that has gone: never repeated, whatever a policy says.
    case never
    /// Another attempt would meet the same.
    case futile
    /// Another attempt may do better.
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
            // An error of somebody else's: repeated, unless it wraps one that must not be.
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
            // One that wants a password, or speaks out of turn, does so again.
            switch error.proxy?.code {
            case nil, .refused, .closed, .timedOut: self = .worthwhile
            default: self = .futile
            }
        default: self = .futile
        }
    }

    private init(_ code: URLError.Code, _ underlying: Any?, _ depth: Int) {
        switch code {
        // Cancelled is also what is left of a delegate's refusal.
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

    /// `never` where that is what a wrapped error comes to; `nil` otherwise. Wrapped errors are made by the caller's own
    /// code; eight are looked at.
    private static func underlying(_ error: Any?, _ depth: Int) -> RetryVerdict? {
        guard depth < 8, let error = error as? any Error else { return nil }
        return RetryVerdict(error, depth: depth + 1) == .never ? .never : nil
    }
}

extension TransportError {
    /// Whether the request cannot have reached the server: it failed before a connection stood.
    var happenedBeforeSending: Bool {
        switch phase {
        case .preparing, .waiting, .connecting, .proxy, .tls: true
        default: false
        }
    }
}
