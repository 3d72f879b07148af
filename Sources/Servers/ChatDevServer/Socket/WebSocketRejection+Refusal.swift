import ChatServerCore
import ChatWire
import HTTPTypes
import HoldfastWebSocket

extension WebSocketRejection {
    /// A refusal in the protocol's words: its error is the body.
    init(_ refusal: UpgradeRefusal) {
        var headers = HTTPFields()
        if let seconds = refusal.retryAfter { headers[.retryAfter] = String(seconds) }
        self.init(
            status: refusal.status, headers: headers, reason: String(decoding: refusal.failure.bytes, as: UTF8.self))
    }

    /// The server stops, or cannot store anything.
    static let unavailable = WebSocketRejection(
        UpgradeRefusal(status: 503, ErrorAnswer("server.unavailable")))
}
