package import HTTPTypes
package import HoldfastTransport

/// The client side of the upgrade from HTTP to WebSocket (RFC 6455, 4.1).
package struct ClientHandshake: Sendable {
    /// The path and query of the request.
    package let target: String
    /// The value of `Host`.
    package let authority: String
    /// The offered subprotocols, in order of preference.
    package let subprotocols: [String]
    /// The offered compression, if any.
    package let deflate: WebSocketDeflate?
    /// The key that the server's response must confirm.
    package let key: WebSocketKey
    private let extraFields: HTTPFields

    /// Prepares an upgrade request. Throws ``WebSocketError/Code-swift.struct/invalidOptions`` for header fields of the
    /// upgrade itself and for subprotocols that are repeated or not tokens.
    package init(
        url: RequestURL, headers: HTTPFields, subprotocols: [String], deflate: WebSocketDeflate? = nil,
        entropy: WebSocketEntropy
    ) throws(WebSocketError) {
        for field in headers where Self.isReserved(field.name) {
            throw WebSocketError(
                .invalidOptions, "The header field \(field.name.rawName) is part of the upgrade and cannot be set.")
        }
        guard subprotocols.allSatisfy(Self.isToken) else {
            throw WebSocketError(
                .invalidOptions, "A subprotocol is empty or contains characters that are not allowed in a token.")
        }
        guard Set(subprotocols).count == subprotocols.count else {
            throw WebSocketError(.invalidOptions, "A subprotocol is listed twice.")
        }
        self.target = url.target
        self.authority = url.authority
        self.subprotocols = subprotocols
        self.deflate = deflate
        self.extraFields = headers
        self.key = WebSocketKey(entropy: entropy)
    }

    /// The header fields of the request, except `Host`.
    package var fields: HTTPFields {
        var fields: HTTPFields = [
            .upgrade: "websocket",
            .connection: "Upgrade",
            .secWebSocketKey: key.text,
            .secWebSocketVersion: "13",
        ]
        if !subprotocols.isEmpty {
            fields[.secWebSocketProtocol] = subprotocols.joined(separator: ", ")
        }
        if let deflate { fields[.secWebSocketExtensions] = DeflateNegotiation.offer(deflate) }
        fields.append(contentsOf: extraFields)
        return fields
    }

    /// The head of the request as sent.
    package var head: String {
        var text = "GET \(target) HTTP/1.1\r\nHost: \(authority)\r\n"
        for field in fields { text += "\(field.name.rawName): \(field.value)\r\n" }
        return text + "\r\n"
    }

    /// What the server granted.
    package struct Grant: Hashable, Sendable {
        /// The chosen subprotocol, if any.
        package var subprotocol: String?
        /// The negotiated compression, if any.
        package var deflate: DeflateAgreement?
    }

    /// Checks the header fields of a `101` response and returns what the server granted.
    package func accept(_ fields: HTTPFields) throws(WebSocketError) -> Grant {
        guard fields.tokens(of: .upgrade) == ["websocket"] else {
            throw Self.invalid("its Upgrade field is not \"websocket\"")
        }
        guard fields.tokens(of: .connection).contains("upgrade") else {
            throw Self.invalid("its Connection field does not contain \"Upgrade\"")
        }
        guard fields.single(.secWebSocketAccept).map({ $0.utf8.elementsEqual(key.accept.utf8) }) == true else {
            throw Self.invalid("its Sec-WebSocket-Accept field does not match the key")
        }
        let agreement: DeflateAgreement?
        do throws(DeflateNegotiation.Objection) {
            agreement = try DeflateNegotiation.accept(fields[values: .secWebSocketExtensions], offered: deflate)
        } catch {
            throw Self.invalid(error.reason)
        }
        return Grant(subprotocol: try subprotocol(fields), deflate: agreement)
    }

    private func subprotocol(_ fields: HTTPFields) throws(WebSocketError) -> String? {
        let chosen = fields[values: .secWebSocketProtocol]
        guard !chosen.isEmpty else { return nil }
        guard chosen.count == 1, let name = chosen.first, subprotocols.contains(name) else {
            throw Self.invalid("its subprotocol was not offered by the client")
        }
        return name
    }

    private static func invalid(_ what: String) -> WebSocketError {
        WebSocketError(.invalidUpgrade, "The server's 101 response is not a valid upgrade: \(what).")
    }

    private static func isReserved(_ name: HTTPField.Name) -> Bool {
        let fixed = ["host", "connection", "upgrade", "content-length", "transfer-encoding", "te", "trailer"]
        return fixed.contains(name.canonicalName) || name.canonicalName.hasPrefix("sec-websocket-")
    }

    /// Whether the text is a token (RFC 9110, 5.6.2).
    private static func isToken(_ text: String) -> Bool {
        !text.isEmpty && text.utf8.allSatisfy(\.isTokenCharacter)
    }
}
