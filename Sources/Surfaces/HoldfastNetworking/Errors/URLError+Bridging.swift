#if canImport(FoundationNetworking)
public import Foundation
import FoundationNetworking
public import HoldfastTransport
public import HoldfastTrust

extension URLError {
    /// The transport error, with its facts, that prevented a pinned session from receiving a response; `nil` for errors
    /// of another session.
    public var transportError: TransportError? { holdfastError as? TransportError }

    /// The full verdict if a pinned session refused the server.
    public var trustVerdict: TrustVerdict? { transportError?.verdict }

    /// The underlying Holdfast error: a `TransportError`, a `TransferError`, or ``UnsupportedTaskError``,
    /// ``UnsupportedRequestError``, ``UnsupportedConfigurationError``.
    public var holdfastError: (any Error)? {
        userInfo[NSUnderlyingErrorKey] as? any Error
    }

    /// Makes an error in the form in which a session's tasks report it.
    init(bridging error: any Error, url: URL?) {
        if let error = error as? URLError {
            self = error
            return
        }
        var info: [String: Any] = [
            NSUnderlyingErrorKey: error, NSLocalizedDescriptionKey: String(describing: error),
        ]
        if let url { info[NSURLErrorFailingURLErrorKey] = url }
        self.init(Self.code(of: error), userInfo: info)
    }

    private static func code(of error: any Error) -> URLError.Code {
        switch error {
        case let error as TransportError: codes[error.code] ?? .code(refusing: error)
        case is CancellationError: .cancelled
        case let error as UnsupportedTaskError where error.kind == .invalidatedSession: .cancelled
        case is UnsupportedTaskError, is UnsupportedRequestError, is UnsupportedConfigurationError: .unsupportedURL
        case let error as TransferError: transferCodes[error.code] ?? .badServerResponse
        case is NetworkError: .badServerResponse
        default: .unknown
        }
    }

    private static let transferCodes: [TransferError.Code: URLError.Code] = [
        .invalidRequest: .unsupportedURL, .tooLarge: .dataLengthExceedsMaximum, .fileUnusable: .cannotWriteToFile,
        .alreadyUnderway: .cannotWriteToFile,
    ]

    private static let codes: [TransportError.Code: URLError.Code] = [
        .invalidURL: .badURL, .invalidRequest: .badURL,
        .cleartextRefused: .appTransportSecurityRequiresSecureConnection,
        .localAddressRefused: .cannotConnectToHost,
        .redirectRefused: .appTransportSecurityRequiresSecureConnection,
        .unresolvedHost: .cannotFindHost, .connectionRefused: .cannotConnectToHost,
        .noConnectivity: .notConnectedToInternet, .proxyFailed: .cannotConnectToHost,
        .tlsHandshakeFailed: .secureConnectionFailed, .noCommonProtocol: .secureConnectionFailed,
        .timedOut: .timedOut, .connectionClosed: .networkConnectionLost,
        .malformedResponse: .badServerResponse, .headTooLarge: .badServerResponse,
        .tooManyFields: .badServerResponse, .tooManyInformationalResponses: .badServerResponse,
        .tooManyFrames: .badServerResponse, .responseTooLarge: .dataLengthExceedsMaximum,
        .decompressedTooLarge: .dataLengthExceedsMaximum, .tooManyRedirects: .httpTooManyRedirects,
        .redirectLoop: .httpTooManyRedirects, .bodyNotRepeatable: .requestBodyStreamExhausted,
        .decodingFailed: .cannotDecodeContentData, .bodyFailed: .requestBodyStreamExhausted,
        .tooManyWaiting: .resourceUnavailable, .cancelled: .cancelled, .shutDown: .cancelled,
    ]
}

extension URLError.Code {
    /// Returns `cancelled` for a server that the app's own code refused, as on Apple platforms when a delegate cancels
    /// a challenge. Returns `serverCertificateUntrusted` for a server that the pins or the system verification refused.
    fileprivate static func code(refusing error: TransportError) -> URLError.Code {
        guard let verdict = error.verdict else { return .unknown }
        return verdict.finding.code == .evaluatorRefused ? .cancelled : .serverCertificateUntrusted
    }
}
#endif
