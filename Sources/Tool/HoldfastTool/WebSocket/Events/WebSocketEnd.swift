import HoldfastBase
import HoldfastTrust
import HoldfastWebSocket

/// How a connection ended, and what follows for the exit code.
struct WebSocketEnd: Hashable, Sendable {
    /// What ended it where that was no closing handshake.
    struct Fault: Hashable, Sendable {
        /// The kind: stable.
        var code: String
        /// The rule that the server broke, or the limit that it passed.
        var violation: String?
        /// One sentence, safe to print.
        var reason: String
    }

    var closure: WebSocketClosure
    var fault: Fault?
    /// How many messages have come.
    var received = 0
    /// How many of those that were waited for did not come.
    var missing = 0
    /// Whether this end was told to close: by the person, by the end of the input, by a number of messages.
    var wasAsked: Bool

    init(_ closure: WebSocketClosure?, error: (any Error)?, received: Int = 0, missing: Int = 0, wasAsked: Bool) {
        self.closure = closure ?? WebSocketClosure(code: .abnormal, initiator: .remote, isClean: false)
        self.fault = error.map(Fault.init)
        self.received = received
        self.missing = missing
        self.wasAsked = wasAsked
    }

    /// 0 for a closing handshake: one that this end was asked for, or a server's without a code of trouble.
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
    /// What the code says, in a few words: RFC 6455, 7.4.1, and the IANA registry of close codes.
    var meaning: String {
        switch rawValue {
        case 1000: "normal closure"
        case 1001: "going away"
        case 1002: "protocol error"
        case 1003: "unsupported data"
        case 1005: "no code was sent"
        case 1006: "no close frame was sent"
        case 1007: "data that is not what its type says"
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
