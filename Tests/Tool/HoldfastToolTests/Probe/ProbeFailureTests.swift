import HoldfastTestSupport
import HoldfastTransportTestSupport
import HoldfastTrust
import Testing

@testable import HoldfastTool

@Suite("holdfast probe: servers without a verdict") struct ProbeFailureTests {
    private func expectFailure(
        _ code: String, _ outcome: ToolOutcome, sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        #expect(outcome.status == .unreachable, sourceLocation: sourceLocation)
        let probe = try #require(try ProbeOutput.read(outcome.output).probes.first, sourceLocation: sourceLocation)
        #expect(probe.result == "none", sourceLocation: sourceLocation)
        #expect(probe.asExpected == nil, sourceLocation: sourceLocation)
        #expect(probe.failure?.code == code, sourceLocation: sourceLocation)
    }

    @Test(arguments: [ProbeExpectation.allow, .block])
    func unreachableServerIsNeitherAllowedNorRefused(_ expectation: ProbeExpectation) async throws {
        let stage = try ProbeStage()
        // Port 1 of the loopback: nothing listens there.
        let outcome = await stage.run(["\(ProbeStage.host):1", "--expect", expectation.rawValue, "--json"])
        try expectFailure("connectionRefused", outcome)
    }

    @Test func oldTLSVersionIsReported() async throws {
        let stage = try ProbeStage()
        var tls = ServerTLS(stage.leaf)
        tls.maximumVersion = .tls11
        try expectFailure("tls.protocolVersion", try await stage.probe(tls, "--expect", "block", "--json"))
    }

    @Test func garbageIsReportedWithoutControlCharacters() async throws {
        let stage = try ProbeStage()
        var settings = ScriptedServer.Settings()
        settings.readsRequests = false
        settings.onConnect = [.send(Array("220 \u{1B}]0;owned\u{7}\r\n".utf8))]
        try await ScriptedServer.with(settings) { server in
            try expectFailure("tls.notTLS", await stage.run(["\(ProbeStage.host):\(server.port)", "--json"]))
            let text = await stage.run(["\(ProbeStage.host):\(server.port)"]).output
            #expect(!text.unicodeScalars.contains { $0.value < 0x20 && $0 != "\n" })
        }
    }

    @Test func closedConnectionIsReported() async throws {
        let stage = try ProbeStage()
        var settings = ScriptedServer.Settings()
        settings.readsRequests = false
        settings.onConnect = [.close]
        try await ScriptedServer.with(settings) { server in
            let outcome = await stage.run(["\(ProbeStage.host):\(server.port)", "--json"])
            #expect(outcome.status == .unreachable)
            let code = try ProbeOutput.read(outcome.output).probes.first?.failure?.code ?? ""
            #expect(["tls.closed", "tls.reset"].contains(code))
        }
    }

    /// Returns a server that presents its certificate and then closes the connection during the handshake.
    ///
    /// The server speaks TLS 1.2: with TLS 1.3, its first flight also ends its part of the handshake, and a client that
    /// verifies quickly completes the handshake before it notices the closed connection.
    private func settings(_ stage: ProbeStage, wantsClientCertificate: Bool) -> ScriptedServer.Settings {
        var tls = ServerTLS(stage.leaf)
        tls.maximumVersion = .tls12
        if wantsClientCertificate { tls.judgesClient = { _ in true } }
        var settings = ScriptedServer.Settings(tls: tls)
        settings.readsRequests = false
        settings.closesAfterFirstFlight = !wantsClientCertificate
        return settings
    }

    @Test(arguments: [false, true])
    func closingAfterCertificateIsNotARefusal(wantsClientCertificate: Bool) async throws {
        let stage = try ProbeStage()
        let policy = try stage.policy(stage.leaf.spkiDigest, stage.backup.spkiDigest)
        let settings = settings(stage, wantsClientCertificate: wantsClientCertificate)
        try await ScriptedServer.with(settings) { server in
            let outcome = await stage.run([
                "\(ProbeStage.host):\(server.port)", "--policy", policy, "--expect", "block", "--json",
            ])
            #expect(outcome.status == .unreachable, "\(outcome.output)")
            let probe = try #require(try ProbeOutput.read(outcome.output).probes.first)
            #expect(probe.certificates.first?.pin == stage.leaf.spkiDigest.base64)
            #expect(probe.verdicts.map(\.permits) == [true, true])
            let codes =
                wantsClientCertificate ? ["tls.alert", "tls.noSharedCipherSuite"] : ["tls.closed", "tls.reset"]
            #expect(codes.contains(probe.failure?.code ?? ""), "\(probe)")
        }
    }

    /// A client refuses the certificate before it detects the closed connection.
    @Test(arguments: [false, true])
    func untrustedServerThatClosesAfterCertificateIsRefused(wantsClientCertificate: Bool) async throws {
        let stage = try ProbeStage()
        let policy = try stage.policy(try Key(.p256).spkiDigest, stage.backup.spkiDigest)
        let settings = settings(stage, wantsClientCertificate: wantsClientCertificate)
        try await ScriptedServer.with(settings) { server in
            let outcome = await stage.run(["\(ProbeStage.host):\(server.port)", "--policy", policy, "--json"])
            #expect(outcome.status == .failure, "\(outcome.output)")
            let probe = try #require(try ProbeOutput.read(outcome.output).probes.first)
            #expect(probe.result == "block")
            #expect(probe.advice?.line == "\"\(stage.leaf.spkiDigest)\"")
            #expect(!probe.warnings.map(\.code).contains("differingAnswers"))
        }
    }

    /// The server was not contacted: it is not refused, and its TLS has not failed.
    @Test(arguments: [true, false])
    func proxyFailureIsNotAVerdictOnTheServer(speaksTLS: Bool) async throws {
        let stage = try ProbeStage()
        let expired = try stage.factory.leaf(
            [], ipAddresses: ["127.0.0.1"], signedBy: stage.root,
            .init(notAfter: ProbeStage.now.advanced(bySeconds: -1)))
        let steps: [ScriptedProxyStep] = speaksTLS ? [] : [.text("220 not TLS\r\n")]
        try await ScriptedProxy.with(tls: speaksTLS ? ServerTLS(expired) : nil, steps) { proxy in
            let outcome = await stage.run([
                "\(ProbeStage.host):8443", "--proxy", "https://127.0.0.1:\(proxy.port)", "--expect", "block", "--json",
            ])
            try expectFailure("proxyFailed", outcome)
        }
    }

    /// A machine without roots refuses every server, which says nothing about this one, with or without a rule for it.
    @Test(arguments: [false, true], [ProbeExpectation.allow, .block])
    func missingRootsAreNotARefusal(hasPolicy: Bool, expectation: ProbeExpectation) async throws {
        let stage = try ProbeStage()
        var prober = stage.prober
        prober.anchors = .only([])
        prober.expectation = expectation
        if hasPolicy {
            prober.trust = try stage.trust(stage.leaf.spkiDigest, stage.backup.spkiDigest, host: "other.example")
        }
        let asked = prober
        let report = try await stage.serving {
            await asked.probe(ProbeTarget(host: try CanonicalHost(ProbeStage.host), port: $0))
        }
        #expect(report.status == .unreachable)
        guard case .failed(let failure) = report.outcome else {
            Issue.record("\(report.outcome)")
            return
        }
        #expect(failure.code == "noTrustAnchors")
    }

    @Test func aChainOfTooManyCertificatesIsRefused() async throws {
        let stage = try ProbeStage()
        let small = try stage.factory.authority("a", .init(keyKind: .p256))
        let chain = [stage.leaf.certificateDER] + Array(repeating: small.certificateDER, count: 120)
        let outcome = try await stage.probe(ServerTLS(chain: chain, keyOf: stage.leaf), "--json")
        #expect(outcome.status == .failure)
        let probe = try #require(try ProbeOutput.read(outcome.output).probes.first)
        #expect(probe.verdicts.map(\.code) == ["tooManyCertificates"])
        #expect(probe.sentCertificates == 121)
    }

    @Test func chainThatTheTLSLibraryRefusesIsReported() async throws {
        let stage = try ProbeStage()
        let chain = [stage.leaf.certificateDER] + Array(repeating: stage.root.certificateDER, count: 600)
        let outcome = try await stage.probe(ServerTLS(chain: chain, keyOf: stage.leaf), "--json")
        #expect(outcome.status == .unreachable)
        let probe = try #require(try ProbeOutput.read(outcome.output).probes.first)
        #expect(probe.failure?.code.hasPrefix("tls.") == true)
    }

    @Test func aMaliciousSubjectReachesTheTerminalEscaped() async throws {
        let stage = try ProbeStage(
            .with { $0.organization = "\u{1B}[2J\u{202E}evil\r\nholdfast: allowed\u{9B}31m" })
        for format in ["text", "json", "prometheus"] {
            let outcome = try await stage.probe(nil, "--format", format)
            #expect(outcome.status == .success)
            #expect(outcome.output.contains("evil"))
            #expect(
                !outcome.output.unicodeScalars.contains {
                    $0 != "\n" && ($0.value < 0x20 || (0x7F...0x9F).contains($0.value) || $0 == "\u{202E}")
                }, "\(format)")
            #expect(!outcome.output.split(separator: "\n").contains { $0.hasPrefix("holdfast: allowed") })
        }
    }

    @Test func aSubjectOf64KiBIsCut() async throws {
        let stage = try ProbeStage(.with { $0.organization = String(repeating: "x", count: 64 * 1024) })
        for format in ["text", "json", "prometheus"] {
            let outcome = try await stage.probe(nil, "--format", format)
            #expect(outcome.status == .success, "\(outcome.output.prefix(400))")
            #expect(outcome.output.utf8.count < 16 * 1024)
        }
    }
}
