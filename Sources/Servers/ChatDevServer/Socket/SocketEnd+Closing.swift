import ChatServerCore
import HoldfastWebSocket

extension SocketEnd {
    /// What the close frame says.
    var closing: (code: WebSocketCloseCode, reason: String) {
        switch self {
        case .shuttingDown: (.goingAway, "The server stops.")
        case .storeFailed: (.internalError, "The server cannot store anything.")
        case .core(.clientOffline): (.normal, "Goodbye.")
        case .core(.replaced): (.policyViolation, "The device has opened another socket.")
        case .core(.registrationTimedOut): (.policyViolation, "No registration came.")
        case .core(.full): (.tryAgainLater, "The server is full.")
        case .script(let code, let reason): (WebSocketCloseCode(rawValue: code) ?? .normal, reason)
        // A fault is meant to look like a broken network.
        case .core(.fault): (.abnormal, "")
        }
    }
}
