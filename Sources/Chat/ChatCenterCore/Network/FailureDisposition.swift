import ChatWire

/// The reaction that a failure requires. This file is the only place that decides it, for calls, transfers and the
/// socket. Exception: a message that the server refuses over the socket fails at once, whatever the reason, as
/// documented.
package enum FailureDisposition: String, Hashable, Sendable, CaseIterable {
    /// The failure may be temporary. The operation is retried with growing delays.
    case transient
    /// The token is not accepted. Nothing is retried until there is a new token.
    case authorization
    /// A retry would fail in the same way. The failure is reported to the caller at once.
    case permanent
}

extension TransportFailure {
    /// The reaction that this failure requires.
    package var disposition: FailureDisposition {
        if isUnauthorized { return .authorization }
        switch kind {
        case .noConnectivity, .unreachable, .timedOut, .tlsHandshake, .other: return .transient
        // A proxy's error page in place of the answer has the same effect, and it disappears on another network.
        case .malformedAnswer: return .transient
        case .refused, .upgradeRefused: return isServersTrouble ? .transient : .permanent
        case .trust, .file, .cancelled: return .permanent
        }
    }

    /// Whether the status reports a temporary problem of the server or of a gateway: RFC 9110 15.5.9 and 15.6, RFC
    /// 8470 5.2, RFC 6585 4.
    private var isServersTrouble: Bool {
        guard let status else { return false }
        return status == 408 || status == 425 || status == 429 || status >= 500
    }

    /// Whether the server rejected the token.
    var isUnauthorized: Bool { status == 401 || refusal?.isUnauthorized == true }

    /// The server's refusal of the token, or the standard refusal if the server gave no details.
    var unauthorizedRefusal: ServerRefusal { refusal ?? .unauthorized }
}

extension ServerRefusal {
    /// The reaction that this refusal requires if no other information is available.
    package var disposition: FailureDisposition { isUnauthorized ? .authorization : .permanent }

    /// The refusal of a token without details from the server.
    static let unauthorized = ServerRefusal(code: ErrorAnswer.tokenInvalid.error)

    /// Whether the server rejected the token.
    var isUnauthorized: Bool { code == Self.unauthorized.code }

    /// Whether the server reports that the token is invalid, as opposed to expired.
    var isInvalidToken: Bool { isUnauthorized && details == ErrorAnswer.tokenInvalid.details }
}

extension DisconnectCause {
    /// The reaction that the loss of a socket requires. Only a rejected token stops the attempts. Permanent failures
    /// are retried too, with a delay before the first attempt.
    package var disposition: FailureDisposition {
        switch self {
        case .transport(let failure): failure.disposition
        case .refused(_, let refusal): refusal.disposition
        case .closedByServer(let code, _, _):
            switch code {
            // Codes 4000 to 4999 are for applications to define (RFC 6455 7.4.2). Holdfast treats 4401 like HTTP
            // status 401.
            case 4401: .authorization
            case .some(4000...4999): .permanent
            default: .transient
            }
        case .handshakeTimeout, .linkDead, .tooManyAttempts: .transient
        }
    }

    /// Whether the first retry must be delayed, because the failure is permanent or because the server is restarting
    /// (1012) or overloaded (1013).
    var asksForPatience: Bool {
        if case .closedByServer(let code, _, _) = self, code == 1012 || code == 1013 { return true }
        return disposition == .permanent
    }

    /// The server's refusal of the token, if the token is the cause.
    var unauthorizedRefusal: ServerRefusal? {
        guard disposition == .authorization else { return nil }
        switch self {
        case .transport(let failure): return failure.unauthorizedRefusal
        case .refused(_, let refusal): return refusal
        case .closedByServer, .handshakeTimeout, .linkDead, .tooManyAttempts: return .unauthorized
        }
    }

    /// The delay that the server requested, in milliseconds. Sources: `Retry-After` in the answer to the upgrade, the
    /// value that the transport found, or `retry-after=SECONDS` in the reason of a close frame.
    var retryAfterMilliseconds: Int64? {
        switch self {
        case .transport(let failure): return failure.retryAfterMilliseconds
        case .closedByServer(_, let reason, let retryAfter):
            if let retryAfter { return retryAfter }
            let prefix = "retry-after="
            guard reason.lowercased().hasPrefix(prefix), let seconds = Int64(reason.dropFirst(prefix.count)),
                seconds >= 0
            else { return nil }
            return seconds.saturatingMultiply(1000)
        case .handshakeTimeout, .refused, .linkDead, .tooManyAttempts: return nil
        }
    }
}
