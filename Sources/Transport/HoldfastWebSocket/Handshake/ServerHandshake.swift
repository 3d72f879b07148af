package import HTTPTypes
import HoldfastTransport

/// The server's half of the upgrade from HTTP to WebSocket (RFC 6455, 4.2).
package enum ServerHandshake {
    /// What a request turned out to be.
    package enum Finding: Sendable {
        /// A request that does not ask for a WebSocket.
        case plainRequest
        /// A proper request for an upgrade.
        case upgrade(WebSocketUpgradeRequest)
        /// A request for an upgrade that is wrong; answer with this.
        case invalid(WebSocketRejection)
    }

    /// Looks at the head of a request.
    ///
    /// - Parameters:
    ///   - isHTTP11: Whether the request speaks HTTP/1.1.
    ///   - fields: The header fields, `Host` among them.
    package static func examine(
        method: String, target: String, isHTTP11: Bool, fields: HTTPFields
    ) -> Finding {
        guard fields.tokens(of: .upgrade).contains("websocket") else { return .plainRequest }
        guard method == "GET" else { return invalid("The method of an upgrade is GET.") }
        guard isHTTP11 else { return invalid("An upgrade needs HTTP/1.1.") }
        guard fields.tokens(of: .connection).contains("upgrade") else {
            return invalid("The Connection field does not say Upgrade.")
        }
        guard fields[values: .contentLength].allSatisfy({ $0 == "0" }), fields[values: .transferEncoding].isEmpty
        else {
            return invalid("An upgrade has no body.")
        }
        guard let host = hostField(fields) else { return invalid("The Host field is missing or repeated.") }
        guard fields.single(.secWebSocketVersion) == "13" else {
            // RFC 6455, 4.4: say which version would do.
            var rejection = WebSocketRejection(status: 426, reason: "The WebSocket version is 13.")
            rejection.headers[.secWebSocketVersion] = "13"
            rejection.headers[.upgrade] = "websocket"
            return .invalid(rejection)
        }
        guard let text = fields.single(.secWebSocketKey), let key = WebSocketKey(text) else {
            return invalid("Sec-WebSocket-Key is missing, repeated, or not the base64 of sixteen bytes.")
        }
        // RFC 6455, 9.1: what is not of this form ends the connection, even where no extension is known.
        guard let extensions = ExtensionOffer.list(fields[values: .secWebSocketExtensions]) else {
            return invalid("Sec-WebSocket-Extensions is malformed.")
        }
        return .upgrade(
            WebSocketUpgradeRequest(
                target: target, host: host, headers: fields,
                subprotocols: fields.members(of: .secWebSocketProtocol), extensions: extensions, key: key))
    }

    /// The header fields of the `101`.
    ///
    /// - Parameter extensions: The answer to the offers of extensions, if any was taken.
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

/// A proper request for an upgrade, as a server sees it.
package struct WebSocketUpgradeRequest: Sendable {
    /// Path and query, as they were sent.
    package let target: String
    /// The value of `Host`.
    package let host: String
    /// All header fields. They may hold credentials.
    package let headers: HTTPFields
    /// The subprotocols that the client offers, the most wanted first.
    package let subprotocols: [String]
    /// The extensions that the client offers, the most wanted first.
    package let extensions: [ExtensionOffer]
    /// The key that has to be answered.
    package let key: WebSocketKey

    /// The path without the query.
    package var path: String { String(target.prefix { $0 != "?" }) }

    /// What a browser says of the page that asks. A server that knows its users by cookies must look at it (RFC 6455,
    /// 10.2).
    package var origin: String? { HTTPField.Name("Origin").flatMap { headers[$0] } }
}

/// A server's answer to an upgrade that it does not grant.
package struct WebSocketRejection: Hashable, Sendable {
    /// The status code: not 1xx, and not 2xx, which a client could take for something else.
    package var status: Int
    /// Header fields beside those that describe the body.
    package var headers: HTTPFields
    /// One sentence, sent as a body of plain text.
    package var reason: String

    package init(status: Int, headers: HTTPFields = [:], reason: String) {
        self.status = (300..<600).contains(status) ? status : 500
        self.headers = headers
        self.reason = reason
    }
}
