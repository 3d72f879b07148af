package import HTTPTypes
package import HoldfastTransport

/// The client's half of the upgrade from HTTP to WebSocket (RFC 6455, 4.1).
package struct ClientHandshake: Sendable {
    /// Path and query of the request.
    package let target: String
    /// The value of `Host`.
    package let authority: String
    /// The subprotocols that are offered, the most wanted first.
    package let subprotocols: [String]
    /// The compression that is offered, if any.
    package let deflate: WebSocketDeflate?
    /// The key whose echo the server owes.
    package let key: WebSocketKey
    private let extraFields: HTTPFields

    /// Prepares an upgrade. Throws ``WebSocketError/Code-swift.struct/invalidOptions`` for fields that belong to the
    /// upgrade itself and for subprotocols that are no tokens or are named twice.
    package init(
        url: RequestURL, headers: HTTPFields, subprotocols: [String], deflate: WebSocketDeflate? = nil,
        entropy: WebSocketEntropy
    ) throws(WebSocketError) {
        for field in headers where Self.isReserved(field.name) {
            throw WebSocketError(
                .invalidOptions, "The header field \(field.name.rawName) belongs to the upgrade and cannot be set.")
        }
        guard subprotocols.allSatisfy(Self.isToken) else {
            throw WebSocketError(.invalidOptions, "A subprotocol is empty or holds characters that no token may have.")
        }
        guard Set(subprotocols).count == subprotocols.count else {
            throw WebSocketError(.invalidOptions, "A subprotocol is named twice.")
        }
        self.target = url.target
        self.authority = url.authority
        self.subprotocols = subprotocols
        self.deflate = deflate
        self.extraFields = headers
        self.key = WebSocketKey(entropy: entropy)
    }

    /// The header fields of the request, `Host` left out.
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

    /// The head of the request, as it is sent.
    package var head: String {
        var text = "GET \(target) HTTP/1.1\r\nHost: \(authority)\r\n"
        for field in fields { text += "\(field.name.rawName): \(field.value)\r\n" }
        return text + "\r\n"
    }

    /// What a server has granted.
    package struct Grant: Hashable, Sendable {
        /// The subprotocol that it chose, if any.
        package var subprotocol: String?
        /// The compression that was agreed on, if any.
        package var deflate: DeflateAgreement?
    }

    /// Checks the header fields of a `101`.
    package func accept(_ fields: HTTPFields) throws(WebSocketError) -> Grant {
        guard fields.tokens(of: .upgrade) == ["websocket"] else {
            throw Self.invalid("its Upgrade field does not say websocket")
        }
        guard fields.tokens(of: .connection).contains("upgrade") else {
            throw Self.invalid("its Connection field does not say Upgrade")
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
            throw Self.invalid("it chose a subprotocol that was not offered")
        }
        return name
    }

    private static func invalid(_ what: String) -> WebSocketError {
        WebSocketError(.invalidUpgrade, "The server's answer 101 is no valid upgrade: \(what).")
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
