#if canImport(FoundationNetworking)
public import Foundation
import FoundationNetworking
public import HoldfastTransport
public import HoldfastTrust

extension URLError {
    /// What kept a pinned session from getting a response, with the facts; `nil` for errors of another session.
    public var transportError: TransportError? { holdfastError as? TransportError }

    /// The whole verdict, where a pinned session has refused the server.
    public var trustVerdict: TrustVerdict? { transportError?.verdict }

    /// The error of Holdfast behind this one: a `TransportError`, a `TransferError`, or ``UnsupportedTaskError``,
    /// ``UnsupportedRequestError``, ``UnsupportedConfigurationError``.
    public var holdfastError: (any Error)? {
        userInfo[NSUnderlyingErrorKey] as? any Error
    }

    /// An error in the form in which a session's tasks report it.
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
    /// A server that somebody's own code has refused is `cancelled`, as it is where a delegate cancels a challenge on Apple
    /// platforms; one that pins or the system verification have refused is not to be trusted.
    fileprivate static func code(refusing error: TransportError) -> URLError.Code {
        guard let verdict = error.verdict else { return .unknown }
        return verdict.finding.code == .evaluatorRefused ? .cancelled : .serverCertificateUntrusted
    }
}
#endif
