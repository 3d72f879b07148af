import ChatServerCore
import HoldfastWebSocket

extension SocketEnd {
    /// The code and reason of the close frame.
    var closing: (code: WebSocketCloseCode, reason: String) {
        switch self {
        case .shuttingDown: (.goingAway, "The server is shutting down.")
        case .storeFailed: (.internalError, "The server's database failed.")
        case .core(.clientOffline): (.normal, "Goodbye.")
        case .core(.replaced): (.policyViolation, "The device opened another socket.")
        case .core(.registrationTimedOut): (.policyViolation, "The registration timed out.")
        case .core(.full): (.tryAgainLater, "The server is full.")
        case .script(let code, let reason): (WebSocketCloseCode(rawValue: code) ?? .normal, reason)
        // A fault must look like a broken network.
        case .core(.fault): (.abnormal, "")
        }
    }
}
