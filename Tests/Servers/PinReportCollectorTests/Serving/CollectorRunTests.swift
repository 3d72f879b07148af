import HTTPTypes
import HoldfastTestSupport
import HoldfastTransport
import HoldfastTrust
import NIOCore
import NIOPosix
import Testing

@testable import PinReportCollector

/// How a collector starts, uses TLS and ends.
@Suite("Collector: running", .serialized)
struct CollectorRunTests {
    let sample: Sample

    init() throws { sample = try Sample.shared.get() }

    @Test func servesTLSWithGivenFiles() async throws {
        let factory = CertificateFactory()
        let root = try factory.authority("Collector root")
        let leaf = try factory.leaf(["localhost"], ipAddresses: ["127.0.0.1"], signedBy: root)
        let directory = try TemporaryDirectory()
        let certificate = try directory.file("chain.pem", leaf.chainPEM)
        let key = try directory.file("key.pem", leaf.privateKeyPEM)
        let body = try Sample.bytes(sample.trustKit)
        try await CollectorUnderTest.with(trust: .system(anchors: .only([root.view]))) {
            $0.tls = try ReportCollectorTLS(certificateFile: certificate, privateKeyFile: key)
        } _: { test async throws in
            #expect(test.address.url.hasPrefix("https://"))
            #expect(try await test.post(body).status == 201)
        }
        let other = try directory.file("other.pem", try factory.leaf(["localhost"], signedBy: root).privateKeyPEM)
        for (chain, key) in [(certificate, other), (key, key), (certificate, certificate), ("/no/such/file", key)] {
            #expect(throws: ReportCollectorError.self) {
                try ReportCollectorTLS(certificateFile: chain, privateKeyFile: key)
            }
        }
    }

    static let unusable: [(ReportCollectorError.Code, @Sendable (inout ReportCollectorConfiguration) -> Void)] = [
        (.cleartext, { $0.host = "0.0.0.0" }), (.cleartext, { $0.host = "::" }),
        (.cleartext, { $0.host = "192.0.2.1" }), (.cleartext, { $0.host = "example.com" }),
        (.invalidConfiguration, { $0.port = 65_536 }), (.invalidConfiguration, { $0.port = -1 }),
        (.invalidConfiguration, { $0.intakePaths = [] }), (.invalidConfiguration, { $0.intakePaths = ["in"] }),
        (.invalidConfiguration, { $0.intakePaths = ["/health"] }),
        (.invalidConfiguration, { $0.intakePaths = ["/reports/summary"] }),
        (.invalidConfiguration, { $0.intakePaths = ["/a?b"] }),
        (.invalidConfiguration, { $0.limits.bodyBytes = 0 }),
        (.invalidConfiguration, { $0.limits.storedBytes = 10 }),
        (.invalidConfiguration, { $0.limits.exchangeTime = .zero }),
        (.invalidConfiguration, { $0.limits.perMinute = 0 }),
        (.invalidConfiguration, { $0.limits.headerBytes = .max }),
        (.invalidConfiguration, { $0.limits.bytesPerCount = 0 }),
        (.unreadableDatabase, { $0.databasePath = "" }), (.unreadableDatabase, { $0.databasePath = ":memory:" }),
        (.unreadableDatabase, { $0.databasePath = "/no/such/folder/reports.sqlite" }),
    ]

    @Test(arguments: unusable.indices) func invalidConfigurationIsRefusedAtOnce(_ index: Int) throws {
        let (code, change) = Self.unusable[index]
        var configuration = ReportCollectorConfiguration()
        change(&configuration)
        do throws(ReportCollectorError) {
            _ = try ReportCollector(configuration: configuration)
            Issue.record("taken")
        } catch {
            #expect(error.code == code)
        }
    }

    @Test func otherMachinesNeedTLSOrDangerousOption() throws {
        var configuration = ReportCollectorConfiguration()
        configuration.host = "0.0.0.0"
        configuration.dangerouslyAllowsCleartext = true
        _ = try ReportCollector(configuration: configuration)
    }

    @Test func portInUseIsReported() async throws {
        try await CollectorUnderTest.with { test async throws in
            var configuration = ReportCollectorConfiguration()
            configuration.port = test.address.port
            do {
                try await ReportCollector(configuration: configuration).run()
                Issue.record("it ran")
            } catch let error as ReportCollectorError {
                #expect(error.code == .portInUse)
            }
        }
    }

    @Test func aCollectorRunsOnce() async throws {
        let collector = try ReportCollector(configuration: ReportCollectorConfiguration())
        collector.stop()
        try await collector.run()
        await #expect(throws: ReportCollectorError.self) { try await collector.run() }
    }

    #if os(Linux)
    /// A supervisor of the process must see that the collector no longer listens.
    @Test(.timeLimit(.minutes(1))) func unexpectedEndIsAnError() async throws {
        let collector = try ReportCollector(configuration: ReportCollectorConfiguration())
        do {
            try await collector.run { #expect(Listener.end(port: $0.port)) }
            Issue.record("it ended in order")
        } catch let error as ReportCollectorError {
            #expect(error.code == .brokenOff)
        }
    }
    #endif

    @Test func reportsOutliveTheCollector() async throws {
        let directory = try TemporaryDirectory()
        let body = try Sample.bytes(sample.trustKit)
        for expected in [201, 200] {
            try await CollectorUnderTest.with {
                $0.databasePath = directory.path + "/reports.sqlite"
            } _: { test async throws in
                #expect(try await test.post(body).status == expected)
                #expect(try await test.object("/reports").list("reports").count == 1)
            }
        }
    }

    @Test func aRequestInProgressIsAnsweredWhenTheCollectorStops() async throws {
        let body = try Sample.bytes(sample.trustKit)
        try await CollectorUnderTest.with { test async throws in
            let peer = try await RawPeer.connect(to: test.address.port)
            // The answer to the first request shows that the beginning of the second was read.
            let head =
                "GET /health HTTP/1.1\r\nHost: localhost\r\n\r\n"
                + "POST /reports HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
                + "Content-Length: \(body.count)\r\n\r\n"
            try await peer.send(Array(head.utf8) + body.prefix(10))
            try await peer.something()
            test.collector.stop()
            try await peer.send(Array(body.dropFirst(10)))
            #expect(try await peer.everything().contains("HTTP/1.1 201 "))
        }
    }

    @Test(.timeLimit(.minutes(1))) func openConnectionIsCutAfterShutdownTime() async throws {
        try await CollectorUnderTest.with {
            // Only the shutdown time closes the connection.
            $0.limits.exchangeTime = .seconds(86_400)
            $0.limits.shutdownTime = .milliseconds(50)
        } _: { test async throws in
            let peer = try await RawPeer.connect(to: test.address.port)
            try await peer.send(Array("POST /reports HTTP/1.1\r\nHost: localhost\r\nContent-Length: 5\r\n".utf8))
            #expect(try await test.request(.get, "/health").status == 200)
            test.collector.stop()
            _ = try? await peer.everything()
        }
    }

    @Test func aSlowSenderIsCut() async throws {
        try await CollectorUnderTest.with {
            $0.limits.exchangeTime = .milliseconds(200)
        } _: { test async throws in
            let peer = try await RawPeer.connect(to: test.address.port)
            try await peer.send(Array("POST /reports HTTP/1.1\r\nHost: local".utf8))
            // The collector closes the connection.
            #expect(try await peer.everything() == "")
        }
    }

    static let noHTTP = [
        "GET / HTTP/9.9\r\n\r\n", "\u{0}\u{1}\u{2}\r\n\r\n",
        "POST /reports HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n",
        "GET /reports HTTP/1.1\r\nHost: a\r\nX: " + String(repeating: "a", count: 40_000) + "\r\n\r\n",
    ]

    @Test(arguments: noHTTP.indices) func invalidHTTPEndsTheConnection(_ index: Int) async throws {
        let text = Self.noHTTP[index]
        try await CollectorUnderTest.with { test async throws in
            let peer = try await RawPeer.connect(to: test.address.port)
            try await peer.send(Array(text.utf8))
            await peer.endSending()
            let answer = try await peer.everything()
            #expect(answer.isEmpty || answer.hasPrefix("HTTP/1.1 4"), "\(answer)")
            #expect(try await test.request(.get, "/health").status == 200)
        }
    }

    @Test(.timeLimit(.minutes(1))) func connectionsPerPeerAreLimited() async throws {
        try await CollectorUnderTest.with {
            $0.limits.connectionsPerPeer = 2
            $0.limits.exchangeTime = .seconds(86_400)
            $0.limits.shutdownTime = .milliseconds(50)
        } _: { test async throws in
            var peers: [RawPeer] = []
            for _ in 0..<3 { peers.append(try await RawPeer.connect(to: test.address.port)) }
            // Event loops accept concurrently: any of the three connections may be the one above the limit.
            let ended = try await withThrowingTaskGroup(of: String.self) { group in
                for peer in peers { group.addTask { try await peer.everything() } }
                let first = try await group.next()
                for peer in peers { await peer.close() }
                return first
            }
            #expect(ended == "")
        }
    }
}
