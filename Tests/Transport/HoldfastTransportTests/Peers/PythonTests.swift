import Foundation
import HTTPTypes
import HoldfastNIO
import HoldfastTestSupport
import HoldfastTransport
import HoldfastTransportTestSupport
import HoldfastTrust
import Testing

/// Python's own HTTP server with OpenSSL, and a Python script that misbehaves on a plain socket.
@Suite(.enabled(if: PeerProgram.python3.isInstalled, "python3 is not installed")) struct PythonTests {
    /// Prints its port. The arguments are chain, key, HTTP version, and an authority for clients or nothing.
    private static let server = """
        import http.server, ssl, sys

        class Handler(http.server.BaseHTTPRequestHandler):
            protocol_version = sys.argv[3]

            def log_message(self, *arguments):
                pass

            def sized(self, body):
                self.send_response(200)
                self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)

            def do_GET(self):
                if self.path == "/chunked":
                    self.send_response(200)
                    self.send_header("Transfer-Encoding", "chunked")
                    self.end_headers()
                    self.wfile.write(b"5\\r\\nhello\\r\\n1;a=b\\r\\n!\\r\\n0\\r\\nX-Sum: 6\\r\\n\\r\\n")
                elif self.path == "/unsized":
                    self.send_response(200)
                    self.send_header("Connection", "close")
                    self.end_headers()
                    self.wfile.write(b"who knows where this ends")
                elif self.path == "/name":
                    subject = self.connection.getpeercert()["subjectAltName"][0][1]
                    self.sized(subject.encode())
                else:
                    self.sized(b"x" * 70000)

            def do_POST(self):
                if self.path == "/early":
                    self.close_connection = True
                    self.sized(b"no")
                    return
                self.sized(self.rfile.read(int(self.headers["Content-Length"]))[::-1])

        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(sys.argv[1], sys.argv[2])
        if sys.argv[4]:
            context.verify_mode = ssl.CERT_REQUIRED
            context.load_verify_locations(sys.argv[4])
        server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        server.socket = context.wrap_socket(server.socket, server_side=True, do_handshake_on_connect=False)
        print(server.server_address[1], flush=True)
        server.serve_forever()
        """

    private func withServer(
        version: String = "HTTP/1.1", clientAuthority: Bool = false,
        _ body: @Sendable (PeerFolder, UInt16) async throws -> Void
    ) async throws {
        try await PeerFolder.with { folder in
            let script = try folder.write("server.py", Self.server)
            let process = try PeerProgram.python3.start([
                script, folder.path("chain.pem"), folder.path("key.pem"), version,
                clientAuthority ? folder.path("root.pem") : "",
            ])
            do {
                try await body(folder, try #require(UInt16(await process.firstLine())))
                process.stop()
            } catch {
                process.stop()
                throw error
            }
        }
    }

    @Test func keptConnections() async throws {
        try await withServer { folder, port in
            let client = HTTPClient(configuration: try folder.configuration())
            for _ in 0..<5 {
                let sized = try await client.collect(HTTPRequest(port: port), upTo: 99_999)
                #expect(sized.body.count == 70_000)
                let chunked = try await client.collect(HTTPRequest(port: port, path: "/chunked"), upTo: 99)
                #expect(chunked.text == "hello!" && chunked.trailers?.count == 1)
                let request = HTTPRequest(.post, port: port)
                #expect(try await client.collect(request, body: .bytes([1, 2, 3]), upTo: 9).body == [3, 2, 1])
            }
            #expect(client.live.count == 1)
            let early = HTTPRequest(.post, port: port, path: "/early")
            #expect(try await client.collect(early, body: .bytes([1]), upTo: 9).text == "no")
            // Python closes without a `close_notify` alert, so the end of the body could be an attack.
            let error = try await transportError {
                _ = try await client.collect(HTTPRequest(port: port, path: "/unsized"), upTo: 99)
            }
            #expect(error.code == .connectionClosed && error.phase == .receiving)
            await client.shutdown()
            #expect(client.live.isEmpty)
        }
    }

    /// An HTTP/1.0 server: each response has its own connection.
    @Test func aServerOfTheOldVersion() async throws {
        try await withServer(version: "HTTP/1.0") { folder, port in
            let client = HTTPClient(configuration: try folder.configuration())
            for _ in 0..<3 {
                #expect(try await client.collect(HTTPRequest(port: port), upTo: 99_999).body.count == 70_000)
                await client.untilAllAreClosed()
            }
            let error = try await transportError {
                _ = try await client.collect(HTTPRequest(port: port, path: "/chunked"), upTo: 99)
            }
            #expect(error.defect == .transferCoding)
        }
    }

    /// OpenSSL verifies the client's certificate, and reads the client's name from it.
    @Test func clientCertificates() async throws {
        try await withServer(clientAuthority: true) { folder, port in
            // OpenSSL requires the extended key usage for clients.
            let options = CertificateOptions(extendedKeyUsages: [.clientAuth])
            let name = ["device.example.com"]
            let device = try folder.factory.leaf(name, signedBy: folder.root, options)
            let stranger = try folder.factory.leaf(name, signedBy: folder.factory.authority("Stranger"), options)
            for (identity, isAccepted) in [(device, true), (stranger, false), (nil, false)] {
                var configuration = try folder.configuration()
                configuration.clientIdentity = try identity.map {
                    try ClientIdentity(certificates: Array($0.chainPEM.utf8), privateKey: Array($0.privateKeyPEM.utf8))
                }
                let client = HTTPClient(configuration: configuration)
                let request = HTTPRequest(port: port, path: "/name")
                if isAccepted {
                    #expect(try await client.collect(request, upTo: 99).text == "device.example.com")
                } else {
                    let error = try await transportError { _ = try await client.collect(request, upTo: 99) }
                    #expect([.connectionClosed, .tlsHandshakeFailed].contains(error.code), "\(error)")
                }
            }
        }
    }

    /// Prints its port, answers the nth connection with its nth response, and then closes or resets the connection.
    private static let rude = """
        import socket, struct, sys
        listener = socket.create_server(("127.0.0.1", 0))
        print(listener.getsockname()[1], flush=True)
        head = b"HTTP/1.1 200 OK\\r\\n"
        for response, resets in [
            (head + b"Content-Length: 5\\r\\n\\r\\nhel", False),
            (head + b"Content-Length: 5\\r\\n\\r\\nhel", True),
            (b"", False),
            (b"SSH-2.0-OpenSSH_9.2\\r\\n", False),
            (head + b"Content-Length: 5\\r\\nContent-Length: 6\\r\\n\\r\\nhello!", False),
            (b"HTTP/1.1 200 OK\\nContent-Length: 5\\n\\nhello", False),
            (head + b"X: " + b"y" * 100000, False),
            (head + b"Content-Length: 5\\r\\n\\r\\nhello", False),
        ]:
            connection, _ = listener.accept()
            received = b""
            while b"\\r\\n\\r\\n" not in received:
                received += connection.recv(65536)
            try:
                connection.sendall(response)
            except OSError:
                pass
            if resets:
                connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
            connection.close()
        """

    @Test func aMisbehavingServer() async throws {
        try await PeerFolder.with { folder in
            let process = try PeerProgram.python3.start([try folder.write("rude.py", Self.rude)])
            let port = try #require(UInt16(await process.firstLine()))
            let client = HTTPClient(configuration: .forPlainServers)
            let expected: [TransportError.Code] = [
                .connectionClosed, .connectionClosed, .connectionClosed, .malformedResponse, .malformedResponse,
                .malformedResponse, .headTooLarge,
            ]
            for code in expected {
                let error = try await transportError {
                    _ = try await client.collect(.plain(.post, port: port), upTo: 99)
                }
                #expect(error.code == code, "\(error)")
            }
            #expect(try await client.collect(.plain(.post, port: port), upTo: 99).text == "hello")
            await client.untilAllAreClosed()
            process.stop()
        }
    }
}
