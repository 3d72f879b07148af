import ChatPageServer
import HTTPTypes
import Hummingbird
import NIOCore
import Synchronization

/// The app's own login: a form, a table of customers, and a redirect to the chat page.
final class Login: Sendable {
    private let server = Mutex<ChatPageServer?>(nil)

    /// Sets the page's server, for whose pages customers sign in.
    func serve(_ server: ChatPageServer) {
        self.server.withLock { $0 = server }
    }

    /// Runs the login on a free port of this machine. Passes its address to `body`.
    func running(_ body: @escaping @Sendable (String) async throws -> Void) async throws {
        let router = Router()
        router.get("login") { _, _ in Self.page("") }
        router.post("login") { request, _ in try await self.signIn(request) }
        let (ports, announce) = AsyncStream.makeStream(of: Int.self)
        let application = Application(
            router: router, configuration: .init(address: .hostname("127.0.0.1", port: 0)),
            onServerRunning: { channel in announce.yield(channel.localAddress?.port ?? 0) })
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await application.run() }
            defer { group.cancelAll() }
            for await port in ports { return try await body("http://127.0.0.1:\(port)/login") }
        }
    }

    /// Checks the password, and leads the browser to the page with a link that works once.
    private func signIn(_ request: Request) async throws -> Response {
        var request = request
        let body = String(buffer: try await request.collectBody(upTo: 4_096))
        // An app compares with a password hash, limits the attempts and has a token in its form. This table is for the
        // example only.
        guard body == "name=maria&password=correct+horse", let server = server.withLock({ $0 }) else {
            var response = Self.page("The name or the password is wrong.")
            response.status = .forbidden
            return response
        }
        return .redirect(to: try await server.link(for: ChatPageVisitor("maria")))
    }

    private static func page(_ notice: String) -> Response {
        let html = """
            <!doctype html><html lang="en"><title>Sign in</title><p role="alert">\(notice)</p>
            <form method="post"><label>Name <input name="name"></label>
            <label>Password <input name="password" type="password"></label><button>Sign in</button></form></html>
            """
        return Response(
            status: .ok,
            headers: [
                .contentType: "text/html; charset=utf-8", .cacheControl: "no-store",
                .contentSecurityPolicy: "default-src 'none'; form-action 'self'; frame-ancestors 'none'",
            ], body: ResponseBody(byteBuffer: ByteBuffer(string: html)))
    }
}
