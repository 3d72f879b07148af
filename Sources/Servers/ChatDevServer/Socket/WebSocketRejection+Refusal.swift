import ChatServerCore
import ChatWire
import HTTPTypes
import HoldfastWebSocket

extension WebSocketRejection {
    /// Creates a rejection with the protocol's error as the body.
    init(_ refusal: UpgradeRefusal) {
        var headers = HTTPFields()
        if let seconds = refusal.retryAfter { headers[.retryAfter] = String(seconds) }
        self.init(
            status: refusal.status, headers: headers, reason: String(decoding: refusal.failure.bytes, as: UTF8.self))
    }

    /// The rejection while the server stops or its database has failed.
    static let unavailable = WebSocketRejection(
        UpgradeRefusal(status: 503, ErrorAnswer("server.unavailable")))
}
