import Foundation
import HTTPTypes
import HoldfastTestSupport
import HoldfastTransport
import HoldfastTransportTestSupport
import HoldfastTrust
import NIOCore
import Testing
import Tracing

/// Reports, from a verdict to the collector.
@Suite(.timeLimit(.minutes(1))) struct PinFailureReporterTests {
    private func uri(_ server: ScriptedServer, _ path: String = "/report") -> String {
        "http://127.0.0.1:\(server.port)\(path)"
    }

    private func json(_ request: ScriptedRequest) throws -> [String: Any] {
        try #require(try JSONSerialization.jsonObject(with: Data(request.body)) as? [String: Any])
    }

    /// End to end: a client refuses a server with a different key, and the collector receives a report in TrustKit's
    /// format.
    @Test func aRefusedServerIsReported() async throws {
        try await ReportWorld.with { world in
            let collector = try await ScriptedServer.start { _ in [.respond()] }
            try await ScriptedServer.with(tls: ServerTLS(world.pinned.leaf)) { _ in
                [.respond("x")]
            } _: { server in
                let reporter = world.reporter()
                let policy = try world.policy(to: [uri(collector)])
                let trust = TrustContext.policy(policy, anchors: .only([world.pinned.root.view]))
                try await world.running(reporter) {
                    let client = HTTPClient(
                        configuration: world.pinned.configuration(trust: trust.reporting(to: reporter)))
                    let error = try await transportError {
                        _ = try await client.collect(HTTPRequest(port: server.port), upTo: 9)
                    }
                    #expect(error.code == .trustRefused)
                    await world.events.until(.sent)
                }
                let request = try #require(collector.requests.first)
                #expect(request.method == "POST" && request.target == "/report")
                #expect(request.field("content-type") == "application/json")
                let fields = try json(request)
                #expect(fields["hostname"] as? String == PinnedWorld.host)
                #expect(fields["port"] as? Int == Int(server.port))
                #expect(fields["app-bundle-id"] as? String == "com.example.shop")
                #expect(fields["app-version"] as? String == "4.2")
                #expect(fields["app-platform"] as? String == "LINUX")
                #expect((fields["app-vendor-id"] as? String)?.count == 32)
                #expect(fields["validation-result"] as? Int == 1)
                #expect((fields["validated-certificate-chain"] as? [String])?.count == 3)
                #expect(try world.files().isEmpty)
            }
            try await collector.stop()
        }
    }

    /// Every connection causes an event, also if the verdict was cached. The same failure is sent once.
    @Test func aReportOnlyPinIsReportedOnce() async throws {
        try await ReportWorld.with { world in
            let collector = try await ScriptedServer.start { _ in [.respond()] }
            try await ScriptedServer.with(tls: ServerTLS(world.pinned.leaf)) { _ in
                [.respond("x")]
            } _: { server in
                let reporter = world.reporter()
                let policy = try world.policy(to: [uri(collector)], enforcement: .reportOnly)
                let trust = TrustContext.policy(policy, anchors: .only([world.pinned.root.view])).reporting(
                    to: reporter)
                try await world.running(reporter) {
                    for _ in 0..<3 {
                        let client = HTTPClient(configuration: world.pinned.configuration(trust: trust))
                        let response = try await client.collect(HTTPRequest(port: server.port), upTo: 9)
                        #expect(response.text == "x")
                        await client.shutdown()
                    }
                    await world.events.until(.duplicate, 2)
                    await world.events.until(.sent)
                }
                #expect(collector.requests.count == 1)
                #expect(world.events.all.count { $0 == .kept } == 1)
            }
            try await collector.stop()
        }
    }

    /// Each address gets its own reports, in its formats and with its fields. An address without an entry gets none.
    @Test func addressesDiffer() async throws {
        try await ReportWorld.with { world in
            try await ScriptedServer.with({ _ in [.respond()] }) { server in
                let (own, other) = (uri(server, "/own"), uri(server, "/other"))
                let reporter = world.reporter {
                    $0.endpoints[own] = ReportEndpoint(
                        fields: [.authorization: "Bearer secret"], formats: [.trustKit, .hpkp],
                        redaction: [.hostname, .certificates, .installation])
                }
                try await world.running(reporter) {
                    reporter.record(try world.failure(to: [own, other, other]))
                    await world.events.until(.sent, 3)
                }
                let requests = server.requests
                #expect(requests.count == 3)
                #expect(Set(requests.compactMap { $0.field("idempotency-key") }).count == 3)
                for request in requests {
                    let isOwn = request.target == "/own"
                    let fields = try json(request)
                    #expect(request.field("authorization") == (isOwn ? "Bearer secret" : nil))
                    #expect((fields["validated-certificate-chain"] as? [String])?.isEmpty == isOwn)
                    if isOwn { #expect((fields["app-vendor-id"] as? String ?? "") == "") }
                }
                let hpkp = try requests.map(json).filter { $0["effective-expiration-date"] != nil }
                #expect(hpkp.count == 1 && hpkp.first?["app-bundle-id"] == nil)
            }
        }
    }

    /// A failure that is not a pin failure, or has no address, is not reported.
    @Test func nothingIsReportedWithoutNeed() async throws {
        try await ReportWorld.with { world in
            let reporter = world.reporter()
            try await world.running(reporter) {
                reporter.record(try world.failure(to: []))
                let context = TrustContext.system(anchors: .only([world.pinned.root.view]))
                let chain = PresentedChain(der: world.pinned.rogue.chain)
                guard
                    case .now(let verdict) = context.judge(
                        chain, for: TrustSubject(host: try CanonicalHost(PinnedWorld.host), port: 443),
                        at: world.pinned.factory.now)
                else { throw MissingError() }
                #expect(verdict.decision != .allow)
                reporter.record(verdict)
                reporter.record(try world.failure(to: ["ftp://example.com/", "http://example.com/"]))
                await world.events.until(.badDestination, 2)
            }
            #expect(Set(world.events.all) == [.badDestination])
        }
    }

    /// The last failed report is retried, each time later, with the same key. The collector's `Retry-After` is
    /// honoured.
    @Test func failuresAreRetried() async throws {
        try await ReportWorld.with { world in
            try await ScriptedServer.with { request in
                switch request.connection {
                case 0: [.respond(status: "503 Busy", fields: ["Retry-After: 300"])]
                case 1: [.respond(status: "429 Slowly", fields: ["Retry-After: 99999999999"])]
                case 2: [.cut]
                default: [.respond(status: "204 Fine")]
                }
            } _: { server in
                let reporter = world.reporter(entropy: 7)
                try await world.running(reporter) {
                    reporter.record(try world.failure(to: [uri(server)]))
                    for round in 1...3 {
                        await world.events.until(.postponed, round)
                        // A wait of a day is checked every hour, because the clock may be set in the meantime.
                        let expected: Duration = .seconds([300, 3_600, 7][round - 1])
                        while world.pause.asked.last != expected { await Task.yield() }
                        world.clock.advance(bySeconds: [300, 86_400, 7][round - 1])
                        world.pause.wake()
                    }
                    await world.events.until(.sent)
                }
                #expect(Set(server.requests.compactMap { $0.field("idempotency-key") }).count == 1)
                #expect(Set(server.requests.map(\.body)).count == 1)
                #expect(server.requests.count == 4)
            }
        }
    }

    /// A report that the collector refuses is dropped. Redirects are not followed.
    @Test(arguments: ["400 Bad", "401 Who", "404 Gone", "301 Moved", "307 Away", "304 Not"])
    func refusedReportsAreDropped(status: String) async throws {
        try await ReportWorld.with { world in
            let other = try await ScriptedServer.start { _ in [.respond()] }
            try await ScriptedServer.with { _ in
                [.respond(status: status, fields: ["Location: http://127.0.0.1:\(other.port)/"])]
            } _: { server in
                let reporter = world.reporter()
                try await world.running(reporter) {
                    reporter.record(try world.failure(to: [uri(server)]))
                    await world.events.until(.refused)
                }
                #expect(server.requests.count == 1 && other.requests.isEmpty)
                #expect(try world.files().isEmpty)
            }
            try await other.stop()
        }
    }

    /// The head of the response decides. An endless body does not block the reporter.
    @Test func anEndlessResponseIsNotRead() async throws {
        try await ReportWorld.with { world in
            let never = Trigger()
            try await ScriptedServer.with { _ in
                [.text("HTTP/1.1 200 OK\nTransfer-Encoding: chunked\n\nffffff\nx"), .wait(never)]
            } _: { server in
                let reporter = world.reporter()
                try await world.running(reporter) {
                    reporter.record(try world.failure(to: [uri(server)]))
                    await world.events.until(.sent)
                }
                await server.waitForClosed(1)
            }
        }
    }

    /// A collector that sends nothing, or one byte at a time, has a time limit.
    @Test func aSlowCollectorTimesOut() async throws {
        try await ReportWorld.with { world in
            let network = VirtualWorld()
            let reporter = world.reporter(client: { network.client() })
            try await world.running(reporter) {
                reporter.record(try world.failure(to: ["http://127.0.0.1:9/"]))
                try await network.request()
                for byte in "HTTP" {
                    await network.pass(.seconds(7))
                    try await network.respond(String(byte))
                }
                #expect(world.events.count(.postponed) == 0)
                await network.pass(.seconds(2))
                await world.events.until(.postponed)
            }
            #expect(try world.files().count == 1)
        }
    }

    /// System trust verifies the collector, and reports leave the machine only over TLS.
    @Test func anUntrustedCollectorGetsNoReport() async throws {
        try await ReportWorld.with { world in
            try await ScriptedServer.with(tls: ServerTLS(world.pinned.rogue)) { _ in
                [.respond()]
            } _: { server in
                let reporter = world.reporter()
                try await world.running(reporter) {
                    reporter.record(try world.failure(to: ["https://\(PinnedWorld.host):\(server.port)/"]))
                    await world.events.until(.postponed)
                }
                #expect(server.requests.isEmpty)
            }
        }
    }

    /// Pins do not apply to reports, because the collector may be the pinned host.
    @Test func theCollectorIsNotPinned() async throws {
        try await ReportWorld.with { world in
            try await ScriptedServer.with(tls: ServerTLS(world.pinned.leaf)) { _ in
                [.respond()]
            } _: { server in
                let reporter = world.reporter()
                try await world.running(reporter) {
                    reporter.record(try world.failure(to: ["https://\(PinnedWorld.host):\(server.port)/"]))
                    await world.events.until(.sent)
                }
                #expect(server.requests.count == 1)
            }
        }
    }

    /// Collectors, bundle servers and OCSP responders do not learn what the app was doing: the request has no trace.
    @Test func noTraceIsSent() throws {
        let reporter = PinFailureReporter.transport(.init(folder: "/none", identity: ReportWorld.identity))
        let fetcher = PinBundleFetcher.transport(.init(url: "https://example.com/"))
        let requester = HTTPOCSPRequester.transport(allowsPlainHTTP: true, proxies: .none, anchors: .system)
        for transport in [reporter, fetcher, requester] { #expect(transport.tracer is NoOpTracer) }
    }

    /// Without a running reporter the memory is limited. So is the disk, during a flood of different failures.
    @Test func aFloodIsLimited() async throws {
        try await ReportWorld.with { world in
            let reporter = world.reporter {
                $0.waiting = 20
                $0.limits.reports = 5
                $0.ledger.reportsPerHour = 12
            }
            for number in 0..<50 {
                reporter.record(try world.failure(UInt8(number), to: ["http://127.0.0.1:\(world.refusingPort)/"]))
            }
            try await world.running(reporter) {
                await world.events.until(.full, 15)
                await world.events.until(.postponed)
            }
            #expect(world.events.count(.overflow) == 1 && world.events.count(.kept) == 5)
            #expect(try world.files().count == 5)
        }
    }

    /// The attack: new chains for one host exhaust memory, hourly limit and disk. The first report about a different
    /// host is still sent.
    @Test func aFloodAboutOneHostDoesNotBlockAnother() async throws {
        try await ReportWorld.with { world in
            let uri = "http://127.0.0.1:\(world.refusingPort)/"
            let reporter = world.reporter {
                $0.waiting = 20
                $0.limits.reports = 5
                $0.ledger.reportsPerHour = 12
            }
            for number in 0..<50 { reporter.record(try world.failure(UInt8(number), to: [uri])) }
            let other = "pay.example.com"
            let leaf = try world.pinned.factory.leaf([other], signedBy: world.pinned.intermediate)
            var rule = try PinningRule(HostPattern(other), pins: PinSet([Pin(SPKIDigest(hashing: [1]))]))
            rule.reportURIs = [uri]
            let context = TrustContext.policy(
                try PinningPolicy(name: "shop", rules: [rule], backupPins: .off),
                anchors: .only([world.pinned.root.view]))
            let judgement = context.judge(
                PresentedChain(der: leaf.chain), for: TrustSubject(host: try CanonicalHost(other), port: 443),
                at: world.pinned.factory.now)
            guard case .now(let verdict) = judgement else { throw MissingError() }
            reporter.record(verdict)
            try await world.running(reporter) {
                await world.events.until(.kept, 6)
                await world.events.until(.postponed)
            }
            let texts = try world.files().map { try String(contentsOfFile: "\(world.folder)/\($0)", encoding: .utf8) }
            #expect(texts.count == 5)
            #expect(texts.count { $0.contains(other) } == 1)
        }
    }

    @Test func anHourHasItsLimit() async throws {
        try await ReportWorld.with { world in
            try await ScriptedServer.with({ _ in [.respond()] }) { server in
                let reporter = world.reporter { $0.ledger.reportsPerHour = 2 }
                try await world.running(reporter) {
                    for number in 0..<4 { reporter.record(try world.failure(UInt8(number), to: [uri(server)])) }
                    await world.events.until(.rateLimited, 2)
                    await world.events.until(.sent, 2)
                }
            }
        }
    }

    /// A report that is too large is sent without its certificates, or not at all.
    @Test func aLargeReportLosesItsCertificates() async throws {
        try await ReportWorld.with { world in
            try await ScriptedServer.with({ _ in [.respond()] }) { server in
                for (limit, event) in [(1_500, ReportEvent.sent), (200, .tooLarge)] {
                    let reporter = world.reporter { $0.limits.reportBytes = limit }
                    try await world.running(reporter) {
                        reporter.record(try world.failure(UInt8(limit & 0x7F), to: [uri(server)]))
                        await world.events.until(event)
                    }
                }
                #expect(server.requests.count == 1)
                let fields = try json(try #require(server.requests.first))
                #expect((fields["validated-certificate-chain"] as? [String])?.isEmpty == true)
            }
        }
    }

    /// The name of an app or of a certificate does not end a string of the report.
    @Test func namesAreEscaped() async throws {
        try await ReportWorld.with { world in
            try await ScriptedServer.with({ _ in [.respond()] }) { server in
                let evil = "\"}\r\n\u{0}\u{2028}</script>"
                let reporter = world.reporter {
                    $0.identity = ReportIdentity(
                        bundleID: evil, version: evil, vendorID: evil, platform: evil, platformVersion: evil)
                }
                try await world.running(reporter) {
                    reporter.record(try world.failure(to: [uri(server)]))
                    await world.events.until(.sent)
                }
                let fields = try json(try #require(server.requests.first))
                #expect(fields["app-bundle-id"] as? String == evil && fields["app-vendor-id"] as? String == evil)
                #expect(fields.count == 16)
            }
        }
    }
}
