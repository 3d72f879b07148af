import Foundation
import HTTPTypes
import HoldfastTransport
import HoldfastTransportTestSupport
import HoldfastTrust
import Testing

/// nginx as a server and as a reverse proxy, over TLS with a certificate of this run.
@Suite(.enabled(if: PeerProgram.nginx.isInstalled, "nginx is not installed")) struct NginxTests {
    private static let text = String(repeating: "Keep fast hold of it. ", count: 4_000)

    private static func configuration(
        _ folder: PeerFolder, port: UInt16, upstream: UInt16, _ version: ScriptedVersion
    ) -> String {
        folder.nginx(
            http: """
                keepalive_requests 20;
                client_max_body_size 8m;
                gzip on;
                gzip_types text/plain;
                types { text/plain txt; }
                server {
                    \(folder.nginxListens(port, http2: version == .http2))
                    ssl_protocols TLSv1.2 TLSv1.3;
                    root \(folder.path("files"));
                    location /upstream/ {
                        proxy_pass http://127.0.0.1:\(upstream);
                        proxy_http_version 1.1;
                    }
                    location /moved { return 301 /text.txt; }
                    location /gone { return 410; }
                    location /empty { return 204; }
                    location /cut { return 444; }
                }
                """)
    }

    /// Runs `body` with an nginx whose `/upstream/` leads to a scripted server.
    private func withNginx(
        _ version: ScriptedVersion, _ onRequest: @escaping @Sendable (ScriptedRequest) -> [ScriptedAction],
        _ body: @Sendable (HTTPClient, UInt16, ScriptedServer) async throws -> Void
    ) async throws {
        try await PeerFolder.with { folder in
            let files = folder.url.appending(path: "files")
            try FileManager.default.createDirectory(at: files, withIntermediateDirectories: true)
            try folder.write("files/text.txt", Self.text)
            try await ScriptedServer.with(onRequest) { upstream in
                let (port, stop) = try await start(folder, upstream: upstream.port, version)
                do {
                    var configuration = try folder.configuration()
                    configuration.httpVersions = version == .http2 ? .http2Only : .http1Only
                    let client = HTTPClient(configuration: configuration)
                    try await body(client, port, upstream)
                    await client.shutdown()
                    #expect(client.live.isEmpty)
                    try await stop()
                } catch {
                    try await stop()
                    throw error
                }
            }
        }
    }

    private func start(_ folder: PeerFolder, upstream: UInt16, _ version: ScriptedVersion) async throws -> (
        UInt16, @Sendable () async throws -> Void
    ) {
        try await folder.startNginx { Self.configuration(folder, port: $0, upstream: upstream, version) }
    }

    @Test(arguments: ScriptedVersion.allCases)
    func filesInEveryForm(version: ScriptedVersion) async throws {
        try await withNginx(version, { _ in [] }) { client, port, _ in
            let plain = try await client.collect(HTTPRequest(port: port, path: "/text.txt"), upTo: 1_000_000)
            #expect(plain.text == Self.text)
            #expect(plain.response.headerFields[.contentEncoding] == nil)
            #expect(plain.facts.tlsVersion == "TLSv1.3")
            // nginx sends compressed bodies in chunks.
            let coded = try await client.collect(
                HTTPRequest(port: port, path: "/text.txt"), upTo: 1_000_000,
                options: RequestOptions(decompression: .on()))
            #expect(coded.text == Self.text)
            #expect(coded.response.headerFields[.transferEncoding] == (version == .http1 ? "chunked" : nil))
            let head = try await client.collect(HTTPRequest(.head, port: port, path: "/text.txt"), upTo: 9)
            #expect(head.response.headerFields[.contentLength] == "\(Self.text.utf8.count)" && head.body.isEmpty)
            let etag = try #require(plain.response.headerFields[.eTag])
            let same = try await client.collect(
                HTTPRequest(port: port, path: "/text.txt", [.ifNoneMatch: etag]), upTo: 9)
            #expect(same.response.status == .notModified)
            let part = try await client.collect(
                HTTPRequest(port: port, path: "/text.txt", [.range: "bytes=5-8"]), upTo: 9)
            #expect(part.response.status == .partialContent && part.text == "fast")
            let moved = try await client.collect(
                HTTPRequest(port: port, path: "/moved"), upTo: 1_000_000, options: RequestOptions(redirects: .follow()))
            #expect(moved.text == Self.text)
            for (path, status) in [("/gone", 410), ("/empty", 204), ("/nothing", 404)] {
                let answer = try await client.collect(HTTPRequest(port: port, path: path), upTo: 9_999)
                #expect(answer.response.status.code == status)
            }
            // A connection that closes without a response.
            let error = try await transportError {
                _ = try await client.collect(HTTPRequest(.post, port: port, path: "/cut"), upTo: 9)
            }
            #expect(error.code == .connectionClosed)
        }
    }

    /// nginx closes a connection after twenty requests, in HTTP/2 with GOAWAY. No request fails: in HTTP/2 the
    /// unprocessed requests move to the next connection.
    @Test(arguments: ScriptedVersion.allCases)
    func connectionsComeAndGo(version: ScriptedVersion) async throws {
        try await withNginx(version, { _ in [] }) { client, port, _ in
            try await withThrowingTaskGroup { group in
                for _ in 0..<200 {
                    group.addTask {
                        try await client.collect(HTTPRequest(port: port, path: "/text.txt"), upTo: 1_000_000).text
                            == Self.text
                    }
                }
                for try await isRight in group { #expect(isRight) }
            }
        }
    }

    /// Bodies in both directions through nginx, with and without a length, and an upstream that closes early.
    @Test(arguments: ScriptedVersion.allCases)
    func asAReverseProxy(version: ScriptedVersion) async throws {
        let upload = Array(repeating: UInt8(0x61), count: 300_000)
        try await withNginx(
            version,
            { request in
                switch request.target {
                case "/upstream/echo": [.respond("\(request.method) \(request.body.count) \(request.body == upload)")]
                case "/upstream/chunks":
                    [.text("HTTP/1.1 200 OK\nTransfer-Encoding: chunked\n\n3\none\n3\ntwo\n0\n\n")]
                case "/upstream/cut": [.text("HTTP/1.1 200 OK\nTransfer-Encoding: chunked\n\n3\none\n"), .cut]
                default: [.respond(status: "404 Not Found")]
                }
            }
        ) { client, port, _ in
            let bodies: [HTTPBody] = [
                .bytes(upload), .stream(length: Int64(upload.count)) { try await $0.write(upload) },
                .stream(length: nil) { writer in
                    for start in stride(from: 0, to: upload.count, by: 50_000) {
                        try await writer.write(Array(upload[start..<start + 50_000]))
                    }
                },
            ]
            for body in bodies {
                let request = HTTPRequest(.post, port: port, path: "/upstream/echo")
                let answer = try await client.collect(request, body: body, upTo: 99)
                #expect(answer.text == "POST 300000 true")
            }
            let chunks = try await client.collect(HTTPRequest(port: port, path: "/upstream/chunks"), upTo: 99)
            #expect(chunks.text == "onetwo")
            let error = try await transportError {
                _ = try await client.collect(HTTPRequest(port: port, path: "/upstream/cut"), upTo: 99)
            }
            #expect(error.code == .connectionClosed && error.phase == .receiving)
        }
    }

    /// The same server, and a client that pins a different key.
    @Test func anotherKeyIsRefused() async throws {
        try await PeerFolder.with { folder in
            let (port, stop) = try await start(folder, upstream: 1, .http1)
            let client = HTTPClient(configuration: try folder.configuration(pin: folder.rogue))
            let error = try await transportError { _ = try await client.collect(HTTPRequest(port: port), upTo: 9) }
            #expect(error.verdict?.finding.code == .pinMismatch)
            try await stop()
        }
    }
}
