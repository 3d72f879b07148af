import ChatDevServer
import HTTPTypes
import HoldfastTransport
import HoldfastTrust
import Hummingbird
import NIOCore
import Synchronization
import Testing

@testable import ChatPageServer

@Suite("Fetching previews", .timeLimit(.minutes(1)))
struct PageFetcherTests {
    /// Runs a web server on loopback, and a fetcher that resolves every name to it.
    private func serving(
        resolver: AddressResolver = AddressResolver { _, _ in [try CanonicalHost("127.0.0.1")] },
        routes: (Router<BasicRequestContext>) -> Void,
        body: @escaping @Sendable (PageFetcher, Int) async throws -> Void
    ) async throws {
        let router = Router()
        routes(router)
        let (ports, announce) = AsyncStream.makeStream(of: Int.self)
        let application = Application(
            router: router, configuration: .init(address: .hostname("127.0.0.1", port: 0)),
            onServerRunning: { channel in announce.yield(channel.localAddress?.port ?? 0) })
        // The test's own server is on loopback. Every other rule stays.
        let loopback = try CanonicalHost("127.0.0.1")
        let fetcher = PageFetcher(
            resolver: resolver, allows: { url in !url.host.isLocal && (url.scheme == .http || url.scheme == .https) },
            choose: { found in found.allSatisfy { $0 == loopback || !$0.isLocal } ? found.first : nil })
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await application.run() }
            defer { group.cancelAll() }
            for await port in ports {
                try await body(fetcher, port)
                return
            }
        }
    }

    private static func page(_ text: String, type: String = "text/html; charset=utf-8") -> Response {
        Response(
            status: .ok, headers: [.contentType: type], body: ResponseBody(byteBuffer: ByteBuffer(string: text)))
    }

    @Test("A page is fetched by its name, from the checked address")
    func page() async throws {
        let hosts = Mutex<[String?]>([])
        try await serving { router in
            router.get("a") { request, _ -> Response in
                hosts.withLock { $0.append(request.head.authority) }
                #expect(request.headers[.cookie] == nil)
                return Self.page("<title>Hi</title>")
            }
        } body: { fetcher, port in
            let result = try await fetcher.fetch("http://site.example:\(port)/a", .page)
            #expect(OpenGraph(page: result.body).title == "Hi")
            #expect(hosts.withLock { $0 } == ["site.example:\(port)"])
        }
    }

    @Test("Redirects are followed three times, and every hop is checked")
    func redirects() async throws {
        try await serving { router in
            router.get("hop/:left") { request, context -> Response in
                let left = context.parameters.get("left", as: Int.self) ?? 0
                return left == 0 ? Self.page("<title>End</title>") : .redirect(to: "/hop/\(left - 1)", type: .found)
            }
            router.get("local") { _, _ in Response.redirect(to: "http://localhost/secret") }
            router.get("metadata") { _, _ in Response.redirect(to: "http://169.254.169.254/latest/") }
            router.get("file") { _, _ in Response.redirect(to: "file:///etc/passwd") }
            router.get("none") { _, _ in Response(status: .found) }
        } body: { fetcher, port in
            let base = "http://site.example:\(port)"
            let end = try await fetcher.fetch(base + "/hop/3", .page)
            #expect(end.url.target == "/hop/0")
            for (path, refusal) in [
                ("/hop/4", PageFetcher.Refusal.redirect), ("/local", .url), ("/metadata", .url), ("/file", .redirect),
                ("/none", .redirect), ("/missing", .status),
            ] {
                await #expect(throws: refusal, "\(path)") { _ = try await fetcher.fetch(base + path, .page) }
            }
        }
    }

    @Test("A name that resolves to a local address is not contacted, also after a redirect")
    func rebinding() async throws {
        let count = Mutex(0)
        let resolver = AddressResolver { host, _ in
            // The first lookup is harmless, the second one leads to a private address.
            switch host.text {
            case "private.example": [try CanonicalHost("10.0.0.1")]
            case "mixed.example": [try CanonicalHost("127.0.0.1"), try CanonicalHost("192.168.0.1")]
            case "metadata.example": [try CanonicalHost("169.254.169.254")]
            case "mapped.example": [try CanonicalHost("::ffff:10.0.0.1")]
            case "nat64.example": [try CanonicalHost("64:ff9b::a00:1")]
            case "unknown.example": throw AddressResolver.Failure()
            default: [try CanonicalHost("127.0.0.1")]
            }
        }
        try await serving(resolver: resolver) { router in
            router.get("/") { request, _ -> Response in
                count.withLock { $0 += 1 }
                let name = request.uri.queryParameters.get("to") ?? ""
                return .redirect(to: "http://\(name).example/")
            }
        } body: { fetcher, port in
            for name in ["private", "mixed", "metadata", "mapped", "nat64", "unknown"] {
                await #expect(throws: PageFetcher.Refusal.address, "\(name)") {
                    _ = try await fetcher.fetch("http://\(name).example:\(port)/", .page)
                }
                await #expect(throws: PageFetcher.Refusal.address, "\(name)") {
                    _ = try await fetcher.fetch("http://site.example:\(port)/?to=\(name)", .page)
                }
            }
            #expect(count.withLock { $0 } == 6)
        }
    }

    @Test("Pages are cut and pictures are refused beyond the limit, and other types are refused")
    func limits() async throws {
        try await serving { router in
            router.get("long") { _, _ in
                Self.page("<title>Long</title>" + String(repeating: "x", count: PageFetcher.Kind.page.bytes))
            }
            router.get("json") { _, _ in Self.page("{}", type: "application/json") }
            router.get("coded") { _, _ -> Response in
                var response = Self.page("<title>x</title>")
                response.headers[.contentEncoding] = "gzip"
                return response
            }
            router.get("picture") { _, _ in
                Self.page(String(repeating: "x", count: PageFetcher.Kind.image.bytes + 1), type: "image/png")
            }
            router.get("exact") { _, _ in
                Self.page(String(repeating: "x", count: PageFetcher.Kind.image.bytes), type: "image/png")
            }
            router.get("stream") { _, _ in
                Response(
                    status: .ok, headers: [.contentType: "image/png"],
                    body: ResponseBody { writer in
                        let part = ByteBuffer(repeating: 0x78, count: 64 << 10)
                        for _ in 0..<64 { try await writer.write(part) }
                        try await writer.finish(nil)
                    })
            }
        } body: { fetcher, port in
            let base = "http://site.example:\(port)"
            let long = try await fetcher.fetch(base + "/long", .page)
            #expect(long.body.count == PageFetcher.Kind.page.bytes)
            #expect(OpenGraph(page: long.body).title == "Long")
            let exact = try await fetcher.fetch(base + "/exact", .image)
            #expect(exact.body.count == PageFetcher.Kind.image.bytes)
            for (path, kind, refusal) in [
                ("/json", PageFetcher.Kind.page, PageFetcher.Refusal.type), ("/coded", .page, .type),
                ("/picture", .image, .size), ("/stream", .image, .size),
            ] {
                await #expect(throws: refusal, "\(path)") { _ = try await fetcher.fetch(base + path, kind) }
            }
        }
    }

    @Test("The default rules refuse this machine")
    func defaults() async throws {
        let fetcher = PageFetcher(resolver: AddressResolver { _, _ in [try CanonicalHost("127.0.0.1")] })
        await #expect(throws: PageFetcher.Refusal.address) {
            _ = try await fetcher.fetch("http://site.example/", .page)
        }
        for url in ["http://127.0.0.1/", "http://localhost/", "https://site.example:8443/", "ftp://site.example/", ""] {
            await #expect(throws: PageFetcher.Refusal.url, "\(url)") { _ = try await fetcher.fetch(url, .page) }
        }
    }

    @Test("A link in a message has a preview, and its picture comes from this server")
    func preview() async throws {
        try await serving { router in
            router.get("article") { _, _ in
                Self.page(
                    "<meta property='og:title' content='An &lt;article&gt;'><meta property='og:image' content='/a.png'>"
                )
            }
        } body: { fetcher, port in
            try await PageUnderTest.with({ $0.fetcher = fetcher }) { page in
                let browser = try await page.signIn()
                let id = "11111111-1111-4111-8111-111111111111"
                let link = "http://site.example:\(port)/article"
                _ = try await browser.intent("send", number: 1, ["id": id, "text": "See \(link)."])
                let answer = try await browser.get("/preview/\(id)")
                #expect(answer.status == 200)
                #expect(answer.text.contains("\"title\":\"An <article>\""))
                #expect(answer.text.contains("\"url\":\"\(link)\""))
                // The picture's port is not the default one, so that the server would not fetch it.
                #expect(!answer.text.contains("\"image\""))
                #expect(try await browser.get("/preview/unknown").status == 404)
            }
        }
    }
}
