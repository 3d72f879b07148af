import ChatWire

/// What a failure asks for. This file is the one table that decides it, for calls, transfers and the socket alike;
/// a message that the server refuses over the socket fails at once whatever the reason, as documented.
package enum FailureDisposition: String, Hashable, Sendable, CaseIterable {
    /// It may pass by itself: the same is tried again, later and later.
    case transient
    /// The token is not accepted: nothing is tried before there is another one.
    case authorization
    /// The same would fail again until somebody changes something: whoever waits is told now.
    case permanent
}

extension TransportFailure {
    /// What this failure asks for.
    package var disposition: FailureDisposition {
        if isUnauthorized { return .authorization }
        switch kind {
        case .noConnectivity, .unreachable, .timedOut, .tlsHandshake, .other: return .transient
        // A proxy's page in place of an answer looks like this, and is gone on the next network.
        case .malformedAnswer: return .transient
        case .refused, .upgradeRefused: return isServersTrouble ? .transient : .permanent
        case .trust, .file, .cancelled: return .permanent
        }
    }

    /// The status says that the server, or something before it, has a trouble that passes: RFC 9110 15.5.9, 15.6;
    /// RFC 8470 5.2; RFC 6585 4.
    private var isServersTrouble: Bool {
        guard let status else { return false }
        return status == 408 || status == 425 || status == 429 || status >= 500
    }

    /// The server does not accept the token.
    var isUnauthorized: Bool { status == 401 || refusal?.isUnauthorized == true }

    /// The server's words about the token, or what they would be.
    var unauthorizedRefusal: ServerRefusal { refusal ?? .unauthorized }
}

extension ServerRefusal {
    /// What this failure asks for, where nothing but the server's words is known.
    package var disposition: FailureDisposition { isUnauthorized ? .authorization : .permanent }

    /// A refused token of which the server says no more.
    static let unauthorized = ServerRefusal(code: ErrorAnswer.tokenInvalid.error)

    /// The server does not accept the token (any more).
    var isUnauthorized: Bool { code == Self.unauthorized.code }

    /// The server says that the token was never good, not that its time is over.
    var isInvalidToken: Bool { isUnauthorized && details == ErrorAnswer.tokenInvalid.details }
}

extension DisconnectCause {
    /// What the loss of a socket asks for. A socket is never given up but for the token: what is permanent is tried
    /// again too, with a wait before the first try.
    package var disposition: FailureDisposition {
        switch self {
        case .transport(let failure): failure.disposition
        case .refused(_, let refusal): refusal.disposition
        case .closedByServer(let code, _, _):
            switch code {
            // 4xxx are for applications to define (RFC 6455 7.4.2); Holdfast reads 4401 as HTTP's 401.
            case 4401: .authorization
            case .some(4000...4999): .permanent
            default: .transient
            }
        case .handshakeTimeout, .linkDead, .tooManyAttempts: .transient
        }
    }

    /// The next try is not made at once: the same would happen again, or the server said that it restarts (1012) or
    /// has too much to do (1013).
    var asksForPatience: Bool {
        if case .closedByServer(let code, _, _) = self, code == 1012 || code == 1013 { return true }
        return disposition == .permanent
    }

    /// The server's words about the token, where the token is the reason.
    var unauthorizedRefusal: ServerRefusal? {
        guard disposition == .authorization else { return nil }
        switch self {
        case .transport(let failure): return failure.unauthorizedRefusal
        case .refused(_, let refusal): return refusal
        case .closedByServer, .handshakeTimeout, .linkDead, .tooManyAttempts: return .unauthorized
        }
    }

    /// How long the server asked to wait, in milliseconds: `Retry-After` of the upgrade's answer, what the transport
    /// found, or `retry-after=SECONDS` in the reason of a close frame.
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
