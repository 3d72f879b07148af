import ChatCenter
import ChatDevServer
import ChatPageServer
import Foundation
import HTTPTypes
import HoldfastTransport
import HoldfastTrust
import Hummingbird

/// The chat page behind an app's own login. docs/chat-page-server.md describes the parts.
///
/// Without arguments, the example signs a customer in, loads the page and ends. With `serve`, it prints the address of
/// the login and runs until it is interrupted: sign in as `maria` with the password `correct horse`.
@main
struct ChatPageLoginExample {
    static func main() async throws {
        try await Show().run()
    }
}

/// The servers of the example, and their order.
struct Show: Sendable {
    func run() async throws {
        let stores = FileManager.default.temporaryDirectory.appendingPathComponent(
            "chat-page-login-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: stores) }
        // A chat server with certificates of its own authority. An app uses its company's server instead.
        let authority = try ServerCertificateAuthority(now: TrustClock.system.now())
        let identity = try authority.identity(for: .genuine)
        var backend = ChatDevServerConfiguration()
        backend.tls = identity
        try await ChatDevServer.with(backend) { chatServer in
            let chat = ChatBackend(
                host: authority.host, port: try await chatServer.started().port, certificate: identity.chain[0],
                stores: stores)
            let login = Login()
            try await login.running { loginURL in
                var configuration = ChatPageServerConfiguration()
                configuration.signInURL = loginURL
                try await ChatPageServer.with(configuration, open: { try await chat.open($0) }) { server, address in
                    login.serve(server)
                    if CommandLine.arguments.contains("serve") {
                        print("open \(loginURL)")
                        try await Task.sleep(for: .seconds(86_400))
                    } else {
                        try await Visit(page: address.url, login: loginURL).run()
                    }
                }
            }
        }
    }
}

/// The chat server, and the rule by which the SDK trusts it. Both stay in this process.
struct ChatBackend: Sendable {
    let host: String
    let port: Int
    let certificate: [UInt8]
    /// The folder with one store for each customer.
    let stores: URL

    /// Creates the SDK of a customer, with an own store and pins. Called when a page needs it: at the first visit, and
    /// again after the session was idle.
    func open(_ visitor: ChatPageVisitor) async throws -> ChatCenterUISDK {
        var network = ChatNetworkConfig()
        network.sslPinning = SSLPinningConfig(trustedCertificates: [try ChatSSLCertificate(der: certificate)])
        var configuration = ChatConfig(
            transportConfig: try ChatTransportConfig(
                validating: "https://\(host):\(port)", webSocket: "wss://\(host):\(port)/socket",
                dataStore: "https://\(host):\(port)/files"),
            networkConfig: network)
        configuration.storageDirectory = stores.appendingPathComponent(visitor.folderName)
        let sdk = ChatCenterUISDK(providerUid: "example", chatConfig: configuration)
        // Returns when the user's data is read. The page says so if the chat server cannot be reached.
        sdk.authorize(user: ChatUser(identifier: visitor.id))
        return sdk
    }
}

/// Acts as the customer's browser, and fails if anything is not as documented.
struct Visit: Sendable {
    let page: String
    let login: String

    func run() async throws {
        let http = HTTPClient()
        // Without a cookie, the page leads to the login.
        let stranger = try await send(http, .get, page + "/")
        try expect(stranger.response.headerFields[.location] == login, "the page leads to the login")
        let wrong = try await send(http, .post, login, form: "name=maria&password=guess")
        try expect(wrong.response.status.code == 403, "a wrong password is refused")
        // The login answers with a link that works once.
        let right = try await send(http, .post, login, form: "name=maria&password=correct+horse")
        guard let link = right.response.headerFields[.location] else { throw Unexpected("the login gives no link") }
        let entry = try await send(http, .get, link)
        guard let cookie = entry.response.headerFields[.setCookie]?.split(separator: ";").first else {
            throw Unexpected("the link sets no cookie")
        }
        let chat = try await send(http, .get, page + "/", cookie: String(cookie))
        try expect(chat.response.status.code == 200, "the chat is shown")
        let again = try await send(http, .get, link)
        try expect(again.response.status.code == 403, "the link works once")
        await http.shutdown()
    }

    private func send(
        _ http: HTTPClient, _ method: HTTPRequest.Method, _ url: String, cookie: String? = nil, form: String? = nil
    ) async throws -> CollectedResponse {
        guard let url = URL(string: url), let host = url.host, let port = url.port else { throw Unexpected(url) }
        let target = (url.path.isEmpty ? "/" : url.path) + (url.query.map { "?" + $0 } ?? "")
        var request = HTTPRequest(method: method, scheme: "http", authority: "\(host):\(port)", path: target)
        request.headerFields[.cookie] = cookie
        if form != nil { request.headerFields[.contentType] = "application/x-www-form-urlencoded" }
        return try await http.collect(request, body: form.map { .bytes(Array($0.utf8)) }, upTo: 1 << 20)
    }

    private func expect(_ isTrue: Bool, _ what: String) throws {
        guard isTrue else { throw Unexpected("it is not the case that \(what)") }
        print("ok: \(what)")
    }
}

/// A result that the example did not expect.
struct Unexpected: Error, CustomStringConvertible {
    let description: String
    init(_ description: String) { self.description = description }
}
