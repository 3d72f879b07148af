import HoldfastBase
import HoldfastWebSocket

/// How a connection ended, and the resulting exit code.
struct WebSocketEnd: Hashable, Sendable {
    /// What ended the connection without a closing handshake.
    struct Fault: Hashable, Sendable {
        /// The kind of fault; stable.
        var code: String
        /// The rule that the server violated, or the limit that it exceeded.
        var violation: String?
        /// One sentence, safe to print.
        var reason: String
    }

    var closure: WebSocketClosure
    var fault: Fault?
    /// The number of received messages.
    var received = 0
    /// The number of expected messages that did not come.
    var missing = 0
    /// Whether this side was asked to close: by the user, by the end of the input or by a number of messages.
    var wasAsked: Bool

    init(_ closure: WebSocketClosure?, error: (any Error)?, received: Int = 0, missing: Int = 0, wasAsked: Bool) {
        self.closure = closure ?? WebSocketClosure(code: .abnormal, initiator: .remote, isClean: false)
        self.fault = error.map(Fault.init)
        self.received = received
        self.missing = missing
        self.wasAsked = wasAsked
    }

    /// 0 for a closing handshake that this side was asked for, or by a server without an error code.
    var status: ToolStatus {
        guard fault == nil, missing == 0, closure.isClean else { return .failure }
        switch closure.initiator {
        case .local: return wasAsked ? .success : .failure
        case .remote: return [.normal, .goingAway, .noStatus].contains(closure.code) ? .success : .failure
        }
    }
}

extension WebSocketEnd.Fault {
    init(_ error: any Error) {
        if let error = error as? WebSocketError {
            self.init(
                code: error.code.rawValue, violation: error.violation?.rawValue,
                reason: Printable.text(ErrorText.plain(error.reason)))
        } else {
            self.init(code: "connectionLost", violation: nil, reason: Printable.text(ErrorText.sentence(error)))
        }
    }
}

extension WebSocketCloseCode {
    /// Describes the code: RFC 6455, section 7.4.1, and the IANA registry of close codes.
    var meaning: String {
        switch rawValue {
        case 1000: "normal closure"
        case 1001: "going away"
        case 1002: "protocol error"
        case 1003: "unsupported data"
        case 1005: "no code was sent"
        case 1006: "no close frame was sent"
        case 1007: "data that does not match its type"
        case 1008: "policy violation"
        case 1009: "message too big"
        case 1010: "a missing extension"
        case 1011: "internal error"
        case 1012: "service restart"
        case 1013: "try again later"
        case 1014: "bad gateway"
        case 1015: "TLS handshake failed"
        case 3000: "unauthorized"
        case 3003: "forbidden"
        case 3008: "timeout"
        case 3000...3999: "a code of a library or framework"
        case 4000...4999: "a code of this application"
        default: "a reserved code"
        }
    }
}
