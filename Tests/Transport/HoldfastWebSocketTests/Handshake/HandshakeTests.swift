import HTTPTypes
import HoldfastTransport
import HoldfastWebSocket
import Testing

@Suite struct HandshakeTests {
    private func client(
        subprotocols: [String] = [], headers: HTTPFields = [:], url: String = "ws://localhost:8080/chat?room=1"
    ) throws -> ClientHandshake {
        try ClientHandshake(
            url: RequestURL(url), headers: headers, subprotocols: subprotocols,
            entropy: WebSocketEntropy { 0x0123_4567_89AB_CDEF })
    }

    @Test func computesTheAcceptValueOfTheRFCExample() {
        #expect(WebSocketKey("dGhlIHNhbXBsZSBub25jZQ==")?.accept == "s3pPLMBiTxaQ9kYGzzhZRbK+xOo=")
        for bad in ["", "dGhlIHNhbXBsZSBub25jZQ", "dGhlIHNhbXBsZSBub25jZQ=!", "AAAA", "dGhlIHNhbXBsZSBub25jZSBsb25n"] {
            #expect(WebSocketKey(bad) == nil)
        }
    }

    @Test func requestFollowsTheRFCWithoutExtensions() throws {
        let handshake = try client(subprotocols: ["chat.v2", "chat.v1"], headers: [.authorization: "Bearer token"])
        #expect(handshake.target == "/chat?room=1")
        #expect(handshake.authority == "localhost:8080")
        let fields = handshake.fields
        #expect(fields[.upgrade] == "websocket")
        #expect(fields[.connection] == "Upgrade")
        #expect(fields[.secWebSocketVersion] == "13")
        #expect(fields[.secWebSocketKey] == "ASNFZ4mrze8BI0VniavN7w==")
        #expect(fields[.secWebSocketProtocol] == "chat.v2, chat.v1")
        #expect(fields[.secWebSocketExtensions] == nil)
        #expect(fields[.authorization] == "Bearer token")
    }

    @Test(arguments: [
        "Host", "connection", "Upgrade", "Content-Length", "Transfer-Encoding", "Sec-WebSocket-Key",
        "sec-websocket-extensions",
    ])
    func refusesFieldsOfTheUpgradeItself(name: String) throws {
        let field = HTTPField(name: try #require(HTTPField.Name(name)), value: "x")
        let error = #expect(throws: WebSocketError.self) { try client(headers: HTTPFields([field])) }
        #expect(error?.code == .invalidOptions)
    }

    @Test(arguments: [[""], ["a b"], ["a,b"], ["chat", "chat"], ["naïve"]])
    func refusesInvalidSubprotocols(subprotocols: [String]) {
        let error = #expect(throws: WebSocketError.self) { try client(subprotocols: subprotocols) }
        #expect(error?.code == .invalidOptions)
    }

    private func answer(_ change: (inout HTTPFields) -> Void) throws -> (ClientHandshake, HTTPFields) {
        let handshake = try client(subprotocols: ["chat.v2", "chat.v1"])
        var fields: HTTPFields = [
            .upgrade: "WebSocket", .connection: "keep-alive, Upgrade", .secWebSocketAccept: handshake.key.accept,
        ]
        change(&fields)
        return (handshake, fields)
    }

    @Test func acceptsAValidResponse() throws {
        let (plain, fields) = try answer { _ in }
        #expect(try plain.accept(fields).subprotocol == nil)
        let (offered, chosen) = try answer { $0[.secWebSocketProtocol] = "chat.v1" }
        #expect(try offered.accept(chosen).subprotocol == "chat.v1")
    }

    static let wrongAnswers: [(String, @Sendable (inout HTTPFields) -> Void)] = [
        ("no Upgrade", { $0[.upgrade] = nil }),
        ("another Upgrade", { $0[.upgrade] = "h2c" }),
        ("a Kelvin sign for a k", { $0[.upgrade] = "websoc\u{212A}et" }),
        ("a comma that a combining mark hides", { $0[.upgrade] = "websocket,\u{301}h2c" }),
        ("an accent on upgrade", { $0[.connection] = "upgrad\u{301}e" }),
        ("two Upgrades", { $0[.upgrade] = "websocket, h2c" }),
        ("no Connection", { $0[.connection] = nil }),
        ("Connection without upgrade", { $0[.connection] = "keep-alive" }),
        ("no Accept", { $0[.secWebSocketAccept] = nil }),
        ("wrong Accept", { $0[.secWebSocketAccept] = "s3pPLMBiTxaQ9kYGzzhZRbK+xOo=" }),
        ("Accept in other case", { $0[.secWebSocketAccept] = $0[.secWebSocketAccept]?.lowercased() }),
        ("two Accepts", { $0.append(HTTPField(name: .secWebSocketAccept, value: $0[.secWebSocketAccept] ?? "")) }),
        ("an extension", { $0[.secWebSocketExtensions] = "permessage-deflate" }),
        ("a subprotocol that was not offered", { $0[.secWebSocketProtocol] = "chat.v3" }),
        ("a subprotocol in other case", { $0[.secWebSocketProtocol] = "Chat.v1" }),
        ("two subprotocols", { $0[.secWebSocketProtocol] = "chat.v1, chat.v2" }),
    ]

    @Test(arguments: wrongAnswers.indices)
    func refusesAnInvalidResponse(index: Int) throws {
        let (name, change) = Self.wrongAnswers[index]
        let (handshake, fields) = try answer(change)
        let error = #expect(throws: WebSocketError.self, "\(name)") { try handshake.accept(fields) }
        #expect(error?.code == .invalidUpgrade, "\(name)")
    }

    private func request(_ change: (inout HTTPFields) -> Void = { _ in }) throws -> HTTPFields {
        var fields: HTTPFields = [
            .upgrade: "websocket", .connection: "Upgrade", .secWebSocketVersion: "13",
            .secWebSocketKey: "dGhlIHNhbXBsZSBub25jZQ==", .secWebSocketProtocol: "chat.v2, chat.v1",
        ]
        fields[try #require(HTTPField.Name("Host"))] = "localhost"
        fields[try #require(HTTPField.Name("Origin"))] = "https://example.com"
        change(&fields)
        return fields
    }

    private func examine(
        method: String = "GET", isHTTP11: Bool = true, _ fields: HTTPFields
    ) -> ServerHandshake.Finding {
        ServerHandshake.examine(method: method, target: "/chat?x=1", isHTTP11: isHTTP11, fields: fields)
    }

    @Test func recognizesAValidRequest() throws {
        guard case .upgrade(let request) = examine(try request()) else {
            Issue.record("The request is not an upgrade.")
            return
        }
        #expect(request.path == "/chat")
        #expect(request.host == "localhost")
        #expect(request.origin == "https://example.com")
        #expect(request.subprotocols == ["chat.v2", "chat.v1"])
        let fields = ServerHandshake.fields(
            for: request, subprotocol: "chat.v1", extra: [.server: "test", .secWebSocketExtensions: "x"])
        #expect(fields[.secWebSocketAccept] == "s3pPLMBiTxaQ9kYGzzhZRbK+xOo=")
        #expect(fields[.secWebSocketProtocol] == "chat.v1")
        #expect(fields[.server] == "test")
        #expect(fields[.secWebSocketExtensions] == nil)
        let granted = ServerHandshake.fields(
            for: request, subprotocol: nil, extensions: "permessage-deflate", extra: [.secWebSocketExtensions: "x"])
        #expect(granted[values: .secWebSocketExtensions] == ["permessage-deflate"])
    }

    @Test func readsExtensionsInOrderOverAllLines() throws {
        let fields = try request {
            $0.append(HTTPField(name: .secWebSocketExtensions, value: "foo; a=1, permessage-deflate"))
            $0.append(HTTPField(name: .secWebSocketExtensions, value: "bar"))
        }
        guard case .upgrade(let request) = examine(fields) else {
            Issue.record("The request is not an upgrade.")
            return
        }
        #expect(request.extensions.map(\.name) == ["foo", "permessage-deflate", "bar"])
    }

    static let wrongRequests: [(String, Int, @Sendable (inout HTTPFields) -> Void)] = [
        ("no Connection", 400, { $0[.connection] = "keep-alive" }),
        ("no key", 400, { $0[.secWebSocketKey] = nil }),
        ("malformed extensions", 400, { $0[.secWebSocketExtensions] = "permessage-deflate; =1" }),
        ("short key", 400, { $0[.secWebSocketKey] = "AAAA" }),
        ("two keys", 400, { $0.append(HTTPField(name: .secWebSocketKey, value: "dGhlIHNhbXBsZSBub25jZQ==")) }),
        ("no version", 426, { $0[.secWebSocketVersion] = nil }),
        ("old version", 426, { $0[.secWebSocketVersion] = "8" }),
        ("two versions", 426, { $0.append(HTTPField(name: .secWebSocketVersion, value: "8")) }),
        ("a body", 400, { $0[.contentLength] = "5" }),
        ("a chunked body", 400, { $0[.transferEncoding] = "chunked" }),
        ("no host", 400, { $0 = HTTPFields($0.filter { $0.name.canonicalName != "host" }) }),
    ]

    @Test(arguments: wrongRequests.indices)
    func answersAnInvalidRequestWithItsStatus(index: Int) throws {
        let (name, status, change) = Self.wrongRequests[index]
        guard case .invalid(let rejection) = examine(try request(change)) else {
            Issue.record("The request was accepted: \(name)")
            return
        }
        #expect(rejection.status == status, "\(name)")
        if status == 426 { #expect(rejection.headers[.secWebSocketVersion] == "13") }
    }

    @Test func distinguishesInvalidUpgradesFromPlainRequests() throws {
        guard case .invalid = examine(method: "POST", try request()),
            case .invalid = examine(isHTTP11: false, try request()),
            case .plainRequest = examine(try request { $0[.upgrade] = nil }),
            case .plainRequest = examine(try request { $0[.upgrade] = "h2c" })
        else {
            Issue.record("The finding is wrong.")
            return
        }
    }

    @Test func rejectionIsNeverAnUpgradeResponse() {
        #expect(WebSocketRejection(status: 101, reason: "").status == 500)
        #expect(WebSocketRejection(status: 200, reason: "").status == 500)
        let text = String(decoding: WebSocketRejection(status: 403, reason: "No.").bytes, as: UTF8.self)
        #expect(text.hasPrefix("HTTP/1.1 403 Forbidden\r\n"))
        #expect(text.contains("Content-Length: 4\r\n"))
        #expect(text.hasSuffix("\r\n\r\nNo.\n"))
    }

    @Test func readsRetryAfterInSeconds() {
        #expect(WebSocketRefusal(status: 503, headerFields: [.retryAfter: "120"]).retryAfter == .seconds(120))
        for text in ["", "-1", "Wed, 21 Oct 2026 07:28:00 GMT", "99999999999999999999", "1.5"] {
            #expect(WebSocketRefusal(status: 503, headerFields: [.retryAfter: text]).retryAfter == nil)
        }
        #expect(WebSocketRefusal(status: 503).retryAfter == nil)
    }
}
