import Foundation
import HTTPTypes
import HoldfastTransport
import HoldfastTransportTestSupport
import Testing

/// Downloads from third-party servers, through a network that cuts connections.
@Suite(.timeLimit(.minutes(1))) struct TransferPeerTests {
    private static let payload = RangeServer.payload(200_000)

    /// Cuts the first connection in the middle of the file. The download succeeds nevertheless.
    private func fetch(
        from port: UInt16, _ configuration: TransportConfiguration, resumes: Bool
    ) async throws {
        try await TransferFolder.with { folder in
            let plan = FaultPlan(toClient: [InjectedFault(.close, after: 120_000)])
            try await FaultProxy.with(to: port, plan: { $0 == 0 ? plan : .none }) { proxy in
                let client = HTTPClient(configuration: configuration)
                let request = HTTPRequest(port: proxy.port, path: "/file.bin")
                _ = try await transportError {
                    _ = try await client.download(
                        request, to: folder.file, options: DownloadTests.options(attempts: 0))
                }
                let there = folder.bytes(folder.part)?.count ?? 0
                #expect(there > 50_000)
                let result = try await client.download(request, to: folder.file, options: DownloadTests.options())
                #expect(folder.bytes(folder.file) == Self.payload)
                #expect(result.response.status.code == (resumes ? 206 : 200))
                // If the file was already complete, its last byte is requested again.
                #expect(resumes == (result.resumedAt > 0))
                #expect(folder.names == ["file.bin"])
                await client.shutdown()
            }
        }
    }

    @Test(.enabled(if: PeerProgram.nginx.isInstalled, "nginx is not installed"), arguments: ScriptedVersion.allCases)
    func nginx(version: ScriptedVersion) async throws {
        try await PeerFolder.with { folder in
            try FileManager.default.createDirectory(
                at: folder.url.appending(path: "files"), withIntermediateDirectories: true)
            try Data(Self.payload).write(to: folder.url.appending(path: "files/file.bin"))
            let (process, port) = try await PeerPort.start { port in
                try folder.write(
                    "nginx.conf",
                    folder.nginx(
                        global: "daemon off;",
                        http: """
                            server {
                                \(folder.nginxListens(port, http2: version == .http2))
                                root \(folder.path("files"));
                            }
                            """))
                return try PeerProgram.nginx.start(["-c", folder.path("nginx.conf"), "-p", folder.url.path])
            }
            var configuration = try folder.configuration()
            configuration.httpVersions = version == .http2 ? .http2Only : .http1Only
            do {
                try await fetch(from: port, configuration, resumes: true)
                try await stop(process, folder)
            } catch {
                try await stop(process, folder)
                throw error
            }
        }
    }

    /// The workers exit with the master only if it is stopped with a signal.
    private func stop(_ process: PeerProcess, _ folder: PeerFolder) async throws {
        let arguments = ["-c", folder.path("nginx.conf"), "-p", folder.url.path, "-s", "stop"]
        _ = try await PeerProgram.nginx.run(arguments, quiet: true)
        _ = await process.rest()
        process.stop()
    }

    /// Python's own file server, which does not support ranges, and a short server with ranges over Python's sockets
    /// and TLS.
    @Test(.enabled(if: PeerProgram.python3.isInstalled, "python3 is not installed"), arguments: [true, false])
    func python(servesRanges: Bool) async throws {
        try await PeerFolder.with { folder in
            try FileManager.default.createDirectory(
                at: folder.url.appending(path: "files"), withIntermediateDirectories: true)
            try Data(Self.payload).write(to: folder.url.appending(path: "files/file.bin"))
            // An old date, because only an old date is a strong validator.
            try FileManager.default.setAttributes(
                [.modificationDate: Date(timeIntervalSince1970: 1e9)], ofItemAtPath: folder.path("files/file.bin"))
            let script = try folder.write("files.py", Self.server)
            let process = try PeerProgram.python3.start([
                script, folder.path("chain.pem"), folder.path("key.pem"), folder.path("files"),
                servesRanges ? "ranges" : "",
            ])
            do {
                let port = try #require(UInt16(await process.firstLine()))
                try await fetch(from: port, try folder.configuration(), resumes: servesRanges)
                process.stop()
            } catch {
                process.stop()
                throw error
            }
        }
    }

    private static let server = """
        import functools, http.server, os, ssl, sys

        class Handler(http.server.SimpleHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def log_message(self, *arguments):
                pass

            def do_GET(self):
                value = self.headers.get("Range")
                path = self.translate_path(self.path)
                modified = self.date_time_string(os.stat(path).st_mtime)
                if sys.argv[4] != "ranges" or not value or self.headers.get("If-Range") != modified:
                    return super().do_GET()
                start = int(value.removeprefix("bytes=").removesuffix("-"))
                with open(path, "rb") as file:
                    file.seek(start)
                    rest = file.read()
                self.send_response(206)
                self.send_header("Last-Modified", modified)
                self.send_header("Content-Range", f"bytes {start}-{start + len(rest) - 1}/{start + len(rest)}")
                self.send_header("Content-Length", str(len(rest)))
                self.end_headers()
                self.wfile.write(rest)

        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(sys.argv[1], sys.argv[2])
        handler = functools.partial(Handler, directory=sys.argv[3])
        server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler)
        server.socket = context.wrap_socket(server.socket, server_side=True, do_handshake_on_connect=False)
        print(server.server_address[1], flush=True)
        server.serve_forever()
        """
}
