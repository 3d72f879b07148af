package import HTTPTypes
import HoldfastTransport

/// The server side of the upgrade from HTTP to WebSocket (RFC 6455, 4.2).
package enum ServerHandshake {
    /// The classification of a request.
    package enum Finding: Sendable {
        /// A request without a WebSocket upgrade.
        case plainRequest
        /// A valid upgrade request.
        case upgrade(WebSocketUpgradeRequest)
        /// An invalid upgrade request, with the response to send.
        case invalid(WebSocketRejection)
    }

    /// Examines the head of a request.
    ///
    /// - Parameters:
    ///   - isHTTP11: Whether the version of the request is HTTP/1.1.
    ///   - fields: The header fields, including `Host`.
    package static func examine(
        method: String, target: String, isHTTP11: Bool, fields: HTTPFields
    ) -> Finding {
        guard fields.tokens(of: .upgrade).contains("websocket") else { return .plainRequest }
        guard method == "GET" else { return invalid("The method of an upgrade must be GET.") }
        guard isHTTP11 else { return invalid("An upgrade requires HTTP/1.1.") }
        guard fields.tokens(of: .connection).contains("upgrade") else {
            return invalid("The Connection field does not contain Upgrade.")
        }
        guard fields[values: .contentLength].allSatisfy({ $0 == "0" }), fields[values: .transferEncoding].isEmpty
        else {
            return invalid("An upgrade must not have a body.")
        }
        guard let host = hostField(fields) else { return invalid("The Host field is missing or repeated.") }
        guard fields.single(.secWebSocketVersion) == "13" else {
            // RFC 6455, 4.4: the response names the supported version.
            var rejection = WebSocketRejection(status: 426, reason: "The WebSocket version must be 13.")
            rejection.headers[.secWebSocketVersion] = "13"
            rejection.headers[.upgrade] = "websocket"
            return .invalid(rejection)
        }
        guard let text = fields.single(.secWebSocketKey), let key = WebSocketKey(text) else {
            return invalid("Sec-WebSocket-Key is missing, repeated, or not 16 bytes in base64.")
        }
        // RFC 6455, 9.1: a malformed field ends the connection, even if no extension is supported.
        guard let extensions = ExtensionOffer.list(fields[values: .secWebSocketExtensions]) else {
            return invalid("Sec-WebSocket-Extensions is malformed.")
        }
        return .upgrade(
            WebSocketUpgradeRequest(
                target: target, host: host, headers: fields,
                subprotocols: fields.members(of: .secWebSocketProtocol), extensions: extensions, key: key))
    }

    /// Returns the header fields of the `101` response.
    ///
    /// - Parameter extensions: The response to the offered extensions, if one was accepted.
    package static func fields(
        for request: WebSocketUpgradeRequest, subprotocol: String?, extensions: String? = nil, extra: HTTPFields
    ) -> HTTPFields {
        var fields = extra
        fields[.upgrade] = "websocket"
        fields[.connection] = "Upgrade"
        fields[.secWebSocketAccept] = request.key.accept
        fields[.secWebSocketProtocol] = subprotocol
        fields[.secWebSocketExtensions] = extensions
        return fields
    }

    private static func hostField(_ fields: HTTPFields) -> String? {
        HTTPField.Name("Host").flatMap { fields.single($0) }
    }

    private static func invalid(_ reason: String) -> Finding {
        .invalid(WebSocketRejection(status: 400, reason: reason))
    }
}

/// A valid upgrade request, as seen by a server.
package struct WebSocketUpgradeRequest: Sendable {
    /// The path and query, as sent.
    package let target: String
    /// The value of `Host`.
    package let host: String
    /// All header fields. They may contain credentials.
    package let headers: HTTPFields
    /// The subprotocols that the client offers, in order of preference.
    package let subprotocols: [String]
    /// The extensions that the client offers, in order of preference.
    package let extensions: [ExtensionOffer]
    /// The key that the response must confirm.
    package let key: WebSocketKey

    /// The path without the query.
    package var path: String { String(target.prefix { $0 != "?" }) }

    /// The origin of the web page that makes the request. A server that authenticates users by cookies must check it
    /// (RFC 6455, 10.2).
    package var origin: String? { HTTPField.Name("Origin").flatMap { headers[$0] } }
}

/// A server's response that refuses an upgrade.
package struct WebSocketRejection: Hashable, Sendable {
    /// The status code. Neither 1xx nor 2xx, which a client could misinterpret.
    package var status: Int
    /// Header fields other than those that describe the body.
    package var headers: HTTPFields
    /// One sentence, sent as a plain-text body.
    package var reason: String

    package init(status: Int, headers: HTTPFields = [:], reason: String) {
        self.status = (300..<600).contains(status) ? status : 500
        self.headers = headers
        self.reason = reason
    }
}
