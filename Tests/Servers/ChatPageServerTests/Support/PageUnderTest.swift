import ChatCenter
import ChatCenterCore
import ChatDevServer
import Foundation
import HTTPTypes
import HoldfastTransport
import HoldfastWebSocket
import Synchronization

@testable import ChatPageServer

/// A running page server in front of a development server, and a client in the role of browsers.
struct PageUnderTest: Sendable {
    let server: ChatPageServer
    let address: ChatPageServerAddress
    let backend: ChatDevServer
    let http: HTTPClient
    let sockets: WebSocketClient
    let clock: ManualClock

    /// Runs both servers without TLS on loopback. The page's clock stands still.
    static func with<R: Sendable>(
        _ configure: (inout ChatPageServerConfiguration) -> Void = { _ in }, theme: ChatTheme? = nil,
        _ body: @Sendable (PageUnderTest) async throws -> R
    ) async throws -> R {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("page-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: folder) }
        let clock = ManualClock()
        var backend = ChatDevServerConfiguration()
        backend.isBotEnabled = false
        backend.configurationPatch = #"{"channelConfig": {"linkPreviewEnabled": true, "keepSocketActive": true}}"#
        var configuration = ChatPageServerConfiguration()
        configuration.time = clock.time
        configure(&configuration)
        let settings = configuration
        return try await ChatDevServer.with(backend) { backend in
            let chat = try await backend.started()
            let open: ChatPageServer.Opening = { visitor in
                var config = ChatConfig(
                    transportConfig: try ChatTransportConfig(
                        validating: chat.rest, webSocket: chat.webSocket, dataStore: chat.dataStore))
                config.storageDirectory = folder.appendingPathComponent(visitor.folderName)
                let sdk = ChatCenterUISDK(providerUid: "test", chatConfig: config)
                if let theme { sdk.theme = theme }
                _ = try await sdk.authorize(ChatUser(identifier: visitor.id))
                return sdk
            }
            return try await ChatPageServer.with(settings, open: open) { server, address in
                let transport = TransportConfiguration(
                    hostOverrides: ["evil.example": "127.0.0.1"], dangerouslyAllowsCleartext: true)
                return try await body(
                    PageUnderTest(
                        server: server, address: address, backend: backend,
                        http: HTTPClient(configuration: transport), sockets: WebSocketClient(configuration: transport),
                        clock: clock))
            }
        }
    }

    // MARK: Requests

    func request(
        _ method: HTTPRequest.Method = .get, _ path: String, host: String = "127.0.0.1", headers: HTTPFields = [:],
        body: [UInt8]? = nil
    ) async throws -> CollectedResponse {
        let request = HTTPRequest(
            method: method, scheme: "http", authority: "\(host):\(address.port)", path: path, headerFields: headers)
        return try await http.collect(request, body: body.map { .bytes($0) }, upTo: 16 << 20)
    }

    /// The page's own origin.
    var origin: String { address.url }

    /// Signs a browser in with a new link, and loads the page.
    func signIn(_ visitor: ChatPageVisitor = ChatPageVisitor("maria")) async throws -> Browser {
        let link = try await server.link(for: visitor)
        let answer = try await request(.get, String(link.dropFirst(address.url.count)))
        guard answer.status == 303, answer.response.headerFields[.location] == "/",
            let cookie = answer.response.headerFields[.setCookie]?.split(separator: ";").first
        else { throw Unexpected("the link did not sign in: \(answer.status)") }
        let browser = Browser(page: self, cookie: String(cookie), form: "", session: visitor.sessionName)
        let html = try await browser.load()
        guard let form = html.firstMatch(of: /name="chat-form" content="([0-9a-f]+)"/)?.1 else {
            throw Unexpected("the page has no form token")
        }
        return Browser(page: self, cookie: browser.cookie, form: String(form), session: browser.session)
    }
}

/// A signed-in browser.
struct Browser: Sendable {
    let page: PageUnderTest
    let cookie: String
    /// The token of its forms.
    let form: String
    /// The name of its session.
    let session: String

    /// Returns header fields with the cookie and others.
    func headers(_ others: HTTPFields = [:]) -> HTTPFields {
        var fields = others
        fields[.cookie] = cookie
        return fields
    }

    func get(_ path: String, _ headers: HTTPFields = [:]) async throws -> CollectedResponse {
        try await page.request(.get, path, headers: self.headers(headers))
    }

    /// Loads the page as HTML.
    func load() async throws -> String {
        let answer = try await get("/", [.accept: "text/html"])
        guard answer.status == 200 else { throw Unexpected("the page has the status \(answer.status)") }
        return answer.text
    }

    /// Sends a form without JavaScript.
    func post(
        _ fields: [String: String], token: String? = nil, _ headers: HTTPFields = [:]
    ) async throws -> CollectedResponse {
        var fields = fields
        fields["form"] = token ?? form
        let body = fields.map { "\($0.key)=\(Self.encoded($0.value))" }.joined(separator: "&")
        var headers = self.headers(headers)
        headers[.contentType] = "application/x-www-form-urlencoded"
        return try await page.request(.post, "/form", headers: headers, body: Array(body.utf8))
    }

    /// Sends an intent as the page's script does without a WebSocket.
    func intent(
        _ name: String, number: Int, client: String = "client-1", session: String? = nil, token: String? = nil,
        _ fields: [String: String] = [:]
    ) async throws -> CollectedResponse {
        var headers = headers([.contentType: "application/json"])
        if let field = HTTPField.Name("X-Chat-Form") { headers[field] = token ?? form }
        return try await page.request(
            .post, "/intents", headers: headers,
            body: try frame(name, number: number, client: client, session: session, fields))
    }

    func frame(
        _ name: String, number: Int, client: String, session: String? = nil, _ fields: [String: String] = [:]
    ) throws -> [UInt8] {
        var object: [String: Any] = [
            "v": 1, "session": session ?? self.session, "client": client, "to": number, "intent": name,
        ]
        for (key, value) in fields { object[key] = value }
        return Array(try JSONSerialization.data(withJSONObject: object))
    }

    /// Uploads a file.
    func upload(
        _ bytes: [UInt8], name: String, type: String = "image/png", id: String = UUID().uuidString.lowercased(),
        token: String? = nil, tokenLast: Bool = false
    ) async throws -> CollectedResponse {
        let boundary = "----holdfast7MA4YWxk"
        func field(_ name: String, _ value: String) -> String {
            "--\(boundary)\r\nContent-Disposition: form-data; name=\"\(name)\"\r\n\r\n\(value)\r\n"
        }
        let file =
            Array(
                ("--\(boundary)\r\nContent-Disposition: form-data; name=\"file\"; filename=\"\(name)\"\r\n"
                    + "Content-Type: \(type)\r\n\r\n").utf8) + bytes + Array("\r\n".utf8)
        let proof = Array(field("form", token ?? form).utf8)
        let body = (tokenLast ? [] : proof) + Array(field("id", id).utf8) + file + (tokenLast ? proof : [])
        return try await page.request(
            .post, "/files",
            headers: headers([
                .contentType: "multipart/form-data; boundary=\(boundary)", .accept: "application/json",
            ]), body: body + Array("--\(boundary)--\r\n".utf8))
    }

    /// Opens the page's WebSocket.
    func connect(client: String = "client-1", after: UInt64? = nil, origin: String? = nil) async throws
        -> PageSocketUnderTest
    {
        var headers = headers()
        if let field = HTTPField.Name("Origin") { headers[field] = origin ?? page.origin }
        let query = "client=\(client)" + (after.map { "&after=\($0)" } ?? "")
        let connection = try await page.sockets.connect(
            "ws://127.0.0.1:\(page.address.port)/socket?\(query)", options: WebSocketOptions(headers: headers))
        return PageSocketUnderTest(connection, browser: self, client: client)
    }

    private static func encoded(_ text: String) -> String {
        text.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? ""
    }
}

/// A page's WebSocket, read one frame at a time.
final class PageSocketUnderTest {
    let connection: WebSocketConnection
    private let browser: Browser
    private let client: String
    private var messages: WebSocketMessages.Iterator
    private var number = 0
    /// The number of the last change.
    private(set) var last: UInt64 = 0

    init(_ connection: WebSocketConnection, browser: Browser, client: String) {
        self.connection = connection
        self.browser = browser
        self.client = client
        messages = connection.messages.makeAsyncIterator()
    }

    /// Returns the next frame that contains all of these texts.
    func frame(containing texts: String...) async throws -> String {
        while case .text(let text)? = try await messages.next() {
            if let digits = text.firstMatch(of: /"n":([0-9]+)/)?.1, let number = UInt64(digits) { last = number }
            if texts.allSatisfy(text.contains) { return text }
        }
        throw Unexpected("the socket ended without a frame with \(texts)")
    }

    /// Sends an intent, and returns its number.
    @discardableResult
    func send(_ intent: String, number: Int? = nil, session: String? = nil, _ fields: [String: String] = [:])
        async throws -> Int
    {
        self.number = number ?? self.number + 1
        let bytes = try browser.frame(intent, number: self.number, client: client, session: session, fields)
        try await connection.send(.text(String(decoding: bytes, as: UTF8.self)))
        return self.number
    }

    /// Reads until the socket ends, and returns how it ended.
    func end() async -> WebSocketClosure? {
        while let message = try? await messages.next() { _ = message }
        return connection.closure
    }
}

/// The clocks of a page server. They stand still until a test advances them.
final class ManualClock: Sendable {
    private let uptime = Mutex<Int64>(0)

    var time: PageServerTime {
        PageServerTime(
            wall: { 1_767_225_600_000 + self.uptime.withLock { $0 } }, uptime: { self.uptime.withLock { $0 } },
            pause: { _ in
                // Signs of life are sent by the test itself.
                let (stream, continuation) = AsyncStream.makeStream(of: Never.self)
                for await _ in stream {}
                withExtendedLifetime(continuation) {}
                try Task.checkCancellation()
            })
    }

    func advance(by milliseconds: Int64) { uptime.withLock { $0 += milliseconds } }
}

/// Delays the ends of sessions until a test permits them.
final class HeldEnding: Sendable {
    private let closing = AsyncStream.makeStream(of: Void.self)
    private let waiting = AsyncStream.makeStream(of: Void.self)
    private let held = AsyncStream.makeStream(of: Never.self)

    var ending: SessionHouse.Ending {
        var ending = SessionHouse.Ending()
        ending.close = { session, reason, text in
            self.closing.continuation.yield()
            for await _ in self.held.stream {}
            await session.close(reason, text)
        }
        ending.waits = { self.waiting.continuation.yield() }
        return ending
    }

    /// Waits until a session is being ended.
    func isClosing() async { for await _ in closing.stream { return } }

    /// Waits until a new session waits for the end of the one before.
    func isWaiting() async { for await _ in waiting.stream { return } }

    /// Permits all ends.
    func release() { held.continuation.finish() }
}

/// A result that a test did not expect.
struct Unexpected: Error, CustomStringConvertible {
    let description: String
    init(_ description: String) { self.description = description }
}

extension CollectedResponse {
    var status: Int { response.status.code }
    var text: String { String(decoding: body, as: UTF8.self) }

    subscript(name: String) -> String? { HTTPField.Name(name).flatMap { response.headerFields[$0] } }
}
