import HoldfastWebSocket

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
