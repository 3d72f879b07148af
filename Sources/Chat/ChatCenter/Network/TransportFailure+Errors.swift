import HoldfastBase
import ChatCenterCore
import ChatWire
import HTTPTypes
import HoldfastTransport
import HoldfastTrust
import HoldfastWebSocket

extension TransportFailure {
    /// Converts an error for the core; the table keeps the error itself.
    init(_ error: any Error, keptIn errors: ErrorTable, now: Int64) {
        self.init(.other, errorID: errors.keep(error))
        switch error {
        case let error as TransportError:
            kind = Kind(error)
            trust = error.verdict.map { TrustFailureSummary(code: $0.finding.code.rawValue, reason: $0.finding.reason) }
        case let error as WebSocketError:
            kind = Kind(error)
            if let refusal = error.refusal {
                status = refusal.status
                self.refusal = refusal.bodyIsTruncated ? nil : ServerRefusal(body: refusal.body)
                retryAfterMilliseconds = RetryAfter.milliseconds(refusal.headerFields[.retryAfter], now: now)
            }
        case let error as ChatServerError:
            status = error.status
            refusal = error.refusal
            retryAfterMilliseconds = error.retryAfterMilliseconds
        case is WireError, is TransferError:
            kind = .malformedAnswer
        case is FileTransferError, is ChatStorageError:
            kind = .file
        case is CancellationError:
            kind = .cancelled
        default:
            break
        }
    }
}

extension TransportFailure.Kind {
    fileprivate init(_ error: TransportError) {
        switch error.code {
        case .trustRefused: self = .trust
        case .noConnectivity: self = .noConnectivity
        case .unresolvedHost, .connectionRefused, .connectionClosed: self = .unreachable
        case .timedOut: self = .timedOut
        case .tlsHandshakeFailed: self = .tlsHandshake
        case .malformedResponse, .responseTooLarge, .headTooLarge, .tooManyFields, .tooManyInformationalResponses:
            self = .malformedAnswer
        case .bodyFailed: self = .file
        case .cancelled, .shutDown: self = .cancelled
        default: self = .other
        }
    }

    fileprivate init(_ error: WebSocketError) {
        switch error.code {
        case .upgradeRefused: self = .upgradeRefused
        case .invalidUpgrade, .protocolViolation, .limitExceeded: self = .malformedAnswer
        case .connectionLost, .closed: self = .unreachable
        case .keepAliveTimedOut: self = .timedOut
        default: self = .other
        }
    }
}

extension ServerRefusal {
    /// Reads the error message in the body of a response with an error status.
    init?(body: [UInt8]) {
        guard let failure = ErrorAnswer(parsing: body) else { return nil }
        self.init(code: failure.error, details: failure.details)
    }
}
