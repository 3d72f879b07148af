import Foundation
import HTTPTypes
import HoldfastNetworking
import HoldfastTestSupport
import HoldfastTransport
import HoldfastTransportTestSupport
import HoldfastTrust
import HoldfastWebSocket
import Testing

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// Every public way to open a connection refuses a server with a different key, and sends it nothing.
///
/// ``everyConnectionIsListed()`` finds the places in the sources that create connections. Add a new one to ``Way/all``
/// first, then to that list.
@Suite struct EveryWayTests {
    /// One way to open a connection.
    struct Way: Sendable, CustomTestStringConvertible {
        var name: String
        /// The versions of HTTP that the connection may negotiate.
        var versions = ScriptedVersion.allCases
        /// Opens a connection to the URL.
        var open: @Sendable (_ url: String, _ configuration: TransportConfiguration) async throws -> Void

        var testDescription: String { name }

        init(
            _ name: String, versions: [ScriptedVersion] = ScriptedVersion.allCases,
            open: @escaping @Sendable (String, TransportConfiguration) async throws -> Void
        ) {
            self.name = name
            self.versions = versions
            self.open = open
        }

        static let all: [Way] = [
            Way("HTTPClient.collect") { _ = try await HTTPClient(configuration: $1).collect(request($0), upTo: 99) },
            Way("HTTPClient.execute, a download") {
                try await HTTPClient(configuration: $1).execute(request($0)) { _, body in
                    while try await body.next() != nil {}
                }
            },
            Way("an upload of bytes") {
                _ = try await HTTPClient(configuration: $1).collect(request($0, .put), body: .bytes([1]), upTo: 99)
            },
            Way("an upload of a stream") {
                let body = HTTPBody.stream(length: nil) { try await $0.write([1]) }
                _ = try await HTTPClient(configuration: $1).collect(request($0, .put), body: body, upTo: 99)
            },
            Way("an upload of a file") {
                let body = HTTPBody.file(path: #filePath)
                _ = try await HTTPClient(configuration: $1).collect(request($0, .put), body: body, upTo: 99)
            },
            Way("a request that follows redirects and decompresses") {
                let options = RequestOptions(redirects: .follow(), decompression: .on())
                _ = try await HTTPClient(configuration: $1).collect(request($0), upTo: 99, options: options)
            },
            Way("HTTPClient.download") { url, configuration in
                try await TemporaryFolder.use { folder in
                    _ = try await HTTPClient(configuration: configuration).download(
                        request(url), to: folder.path("file"), options: DownloadOptions(retry: .never))
                }
            },
            Way("HTTPClient.upload") {
                _ = try await HTTPClient(configuration: $1).upload(request($0, .put), from: #filePath)
            },
            Way("HTTPClient.uploadResumably") {
                _ = try await HTTPClient(configuration: $1).uploadResumably(request($0, .post), from: #filePath)
            },
            Way("the target of a redirect") { url, configuration in
                var configuration = configuration
                configuration.dangerouslyAllowsCleartext = true
                try await ScriptedServer.with { _ in
                    [.respond(status: "307 T", fields: ["Location: \(url)"])]
                } _: { [configuration] redirector in
                    _ = try await HTTPClient(configuration: configuration).collect(
                        request("http://127.0.0.1:\(redirector.port)/"), upTo: 99,
                        options: RequestOptions(redirects: .follow()))
                }
            },
            // A WebSocket connection offers only HTTP/1.1 (RFC 6455).
            Way("WebSocketClient", versions: [.http1]) { url, configuration in
                let url = "wss" + url.dropFirst("https".count)
                let connection = try await WebSocketClient(configuration: configuration).connect(url)
                await connection.close()
            },
            Way("HTTPClientTransport") {
                _ = try await HTTPClientTransport(configuration: $1).data(for: URLRequest(url: address($0)))
            },
            Way("HTTPNetworkService") { url, configuration in
                let service = HTTPNetworkService(transport: HTTPClientTransport(configuration: configuration))
                let environment = DefaultAPIEnvironment(baseURL: try address(url))
                _ = try await service.requestVoid(to: Endpoint(path: "x", method: .get), via: environment)
            },
        ]

        /// The ways of a session. A session's errors contain Holdfast's errors.
        static var sessions: [Way] {
            #if canImport(FoundationNetworking)
            let tasks: [(String, @Sendable (URLSession, URLRequest) async throws -> Void)] = [
                ("data(for:)", { _ = try await $0.data(for: $1) }),
                ("holdfastUpload", { _ = try await $0.holdfastUpload(for: $1, from: Data([1])) }),
                (
                    "holdfastDownload",
                    {
                        let file = FileManager.default.temporaryDirectory.appending(path: "holdfast-\(UUID())")
                        defer { try? FileManager.default.removeItem(at: file) }
                        _ = try await $0.holdfastDownload(for: $1, to: file, upTo: 99)
                    }
                ),
            ]
            return tasks.map { name, task in
                Way("URLSession(pinnedBy:), \(name)") { url, configuration in
                    let options = PinnedSessionOptions(transport: configuration)
                    let session = URLSession(pinnedBy: configuration.trust, options: options)
                    defer { session.invalidateAndCancel() }
                    do {
                        try await task(session, URLRequest(url: address(url)))
                    } catch let error as URLError {
                        throw error.holdfastError ?? error
                    }
                }
            }
            #else
            return []
            #endif
        }
    }

    private static func request(_ url: String, _ method: HTTPRequest.Method = .get) throws -> HTTPRequest {
        let address = try address(url)
        return HTTPRequest(
            method: method, scheme: address.scheme, authority: "\(address.host ?? ""):\(address.port ?? 0)", path: "/")
    }

    private static func address(_ url: String) throws -> URL { try #require(URL(string: url)) }

    private static let host = "api.example.com"

    /// The right authority and the right name, another key.
    @Test(arguments: Way.all + Way.sessions, ScriptedVersion.allCases)
    func aDifferentKeyIsRefused(way: Way, version: ScriptedVersion) async throws {
        guard way.versions.contains(version) else { return }
        let factory = CertificateFactory()
        let root = try factory.authority("Root")
        let pinned = try factory.leaf([Self.host], signedBy: root)
        let wrong = try factory.leaf([Self.host], signedBy: root)
        let pin = PublicKeyPinningEvaluator(
            pinnedKeyHashes: [Data(pinned.spkiDigest.bytes)], anchors: .only([root.view]), clock: .fixed(factory.now))
        let trust = TrustContext.evaluators([Self.host: pin], anchors: .only([root.view]))
        let configuration = TransportConfiguration(
            trust: trust, clock: .fixed(factory.now), hostOverrides: [Self.host: "127.0.0.1"])
        for (identity, isRight) in [(wrong, false), (pinned, true)] {
            try await ScriptedServer.with(tls: ServerTLS(identity), version: version) { _ in
                [.respond("x")]
            } _: { server in
                do {
                    try await way.open("https://\(Self.host):\(server.port)/", configuration)
                    #expect(isRight)
                } catch let error as TransportError where !isRight {
                    #expect(error.code == .trustRefused)
                    #expect(error.verdict?.finding.code == .pinMismatch)
                } catch {
                    // With the right server, a way may still fail because of the response, but only after it reached
                    // the server.
                    #expect(isRight, "\(error)")
                }
                #expect(server.requests.isEmpty == !isRight)
            }
        }
    }

    /// `PinningTransport` has its own type for pins.
    @Test func pinningTransport() async throws {
        let factory = CertificateFactory()
        let root = try factory.authority("Root")
        let pinned = try factory.leaf([Self.host], signedBy: root)
        let wrong = try factory.leaf([Self.host], signedBy: root)
        let pin = PublicKeyPinningEvaluator(
            pinnedKeyHashes: [Data(pinned.spkiDigest.bytes)], anchors: .only([root.view]), clock: .fixed(factory.now))
        let transport = PinningTransport(
            pinnedDomains: [Self.host: pin], anchors: .only([root.view]),
            configuration: TransportConfiguration(
                clock: .fixed(factory.now), hostOverrides: [Self.host: "127.0.0.1"]))
        try await ScriptedServer.with(tls: ServerTLS(wrong)) { _ in
            [.respond()]
        } _: { server in
            let request = URLRequest(url: try Self.address("https://\(Self.host):\(server.port)/"))
            let error = await #expect(throws: TransportError.self) { _ = try await transport.data(for: request) }
            #expect(error?.verdict?.finding.code == .pinMismatch)
            #expect(server.requests.isEmpty)
        }
    }

    /// Checks where the sources can create a connection. A place outside this list has not been reviewed.
    @Test func everyConnectionIsListed() throws {
        let known: Set<String> = [
            // The only file that opens sockets, and the only one that uses the dialler with them.
            "ClientBootstrap Transport/HoldfastTransport/Dialling/SocketConnector.swift",
            "NetworkDialler Transport/HoldfastTransport/Client/HTTPClient.swift",
            // A request with a trust of its own: RequestTrustTests.
            "NetworkDialler Transport/HoldfastTransport/Client/ClientCore.swift",
            "NetworkDialler Transport/HoldfastWebSocket/Client/WebSocketClient.swift",
            // `holdfast pin` and `holdfast probe` read the certificates of any server; they send nothing.
            "NetworkDialler Transport/HoldfastTransport/Dialling/DialSurvey.swift",
            // Verified with the system's roots or the app's own, and deliberately without pins: the app must be able
            // to report and fix a wrong pin, and OCSP responses are signed. PinFailureReporterTests,
            // PinBundleFetcherTests and RevocationRequesterTests test them.
            "HTTPClient Transport/HoldfastTransport/Reporting/PinFailureReporter.swift",
            "HTTPClient Transport/HoldfastTransport/Bundles/PinBundleFetcher.swift",
            "HTTPClient Transport/HoldfastTransport/Revocation/HTTPOCSPRequester.swift",
            // The same for revocation lists: RevocationRequesterTests.
            "HTTPClient Transport/HoldfastTransport/Revocation/HTTPRevocationListRequester.swift",
            // Tested above.
            "HTTPClient Surfaces/HoldfastNetworking/Transport/HTTPClientTransport.swift",
            "HTTPClient Surfaces/HoldfastNetworking/URLSessionBridge/SessionBridge.swift",
            // A text for logs and errors. It creates no connection.
            "URLSession Surfaces/HoldfastNetworking/URLSessionBridge/NativeSessionWarning.swift",
            // libcurl with the machine's roots, for an app that passes a native session: URLSessionTransportTests.
            "URLSession Surfaces/HoldfastNetworking/Transport/NativeCarrier.swift",
            // ChatCenter's own tests: LivePinningTests.
            "HTTPClient Chat/ChatCenter/Network/LiveChatNetwork.swift",
            "WebSocketClient Chat/ChatCenter/Network/LiveChatNetwork.swift",
            // The soak test's policies refuse the servers temporarily: SoakTests.
            "HTTPClient Lab/HoldfastSoak/Soak.swift",
            // The conformance client connects only to the test suite, which does not use TLS.
            "WebSocketClient Lab/holdfast-conformance/Autobahn/AutobahnClientCommand.swift",
            // The demonstration shows its refusals: DemoTests.
            "HTTPClient Tool/HoldfastTool/Demo/Stage/DemoVisit.swift",
            "WebSocketClient Tool/HoldfastTool/Demo/Stage/DemoVisit.swift",
            // `holdfast get` verifies servers with the given settings: GetRefusalTests.
            "HTTPClient Tool/HoldfastTool/Get/GetCommand.swift",
            // `holdfast ws` verifies servers with the given settings, and displays frames: WebSocketRefusalTests.
            "NetworkDialler Tool/HoldfastTool/WebSocket/WebSocketCommandRun.swift",
            "WebSocketClient Tool/HoldfastTool/WebSocket/WebSocketCommandRun.swift",
            // Previews and pictures for the chat page come from hosts that no app chose. The fetcher uses the system's
            // trust, and only addresses that are public: PageFetcherTests.
            "HTTPClient Servers/ChatPageServer/Previews/PageFetcher.swift",
            // The webhook's receiver is verified with the system's trust: WebhookDeliveryTests.
            "HTTPClient Servers/PinReportCollector/Desk/Webhook/WebhookSender.swift",
            // A TLS server in front of the demo's chat server. It connects to a port of this machine only.
            "ClientBootstrap Tool/HoldfastTool/Demo/Browser/TLSFront.swift",
        ]
        let sources = Repository.root.appendingPathComponent("Sources")
        let makers = [
            "ClientBootstrap", "DatagramBootstrap", "NIOPipeBootstrap", "RawSocketBootstrap", "NetworkDialler",
            "HTTPClient",
            "WebSocketClient", "URLSession", "NWConnection",
        ]
        var found: Set<String> = []
        let files = try #require(FileManager.default.enumerator(atPath: sources.path))
        for case let path as String in files where path.hasSuffix(".swift") && !path.contains("TestSupport/") {
            let text = try String(contentsOf: sources.appendingPathComponent(path), encoding: .utf8)
            let code = text.split(separator: "\n").filter { !$0.drop(while: \.isWhitespace).hasPrefix("//") }
            for maker in makers where code.contains(where: { Self.makes(maker, in: $0) }) {
                found.insert("\(maker) \(path)")
            }
        }
        #expect(found == known)
    }

    /// Whether a line contains `name(` as a whole name.
    private static func makes(_ name: String, in line: Substring) -> Bool {
        line.ranges(of: "\(name)(").contains { range in
            range.lowerBound == line.startIndex || !line[line.index(before: range.lowerBound)].isLetter
        }
    }
}
