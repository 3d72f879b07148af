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
    func aServerThatIsNotThereIsNeitherAllowedNorRefused(_ expectation: ProbeExpectation) async throws {
        let stage = try ProbeStage()
        // Port 1 of the loopback: nothing listens there.
        let outcome = await stage.run(["\(ProbeStage.host):1", "--expect", expectation.rawValue, "--json"])
        try expectFailure("connectionRefused", outcome)
    }

    @Test func anOldVersionOfTLSIsNamed() async throws {
        let stage = try ProbeStage()
        var tls = ServerTLS(stage.leaf)
        tls.maximumVersion = .tls11
        try expectFailure("tls.protocolVersion", try await stage.probe(tls, "--expect", "block", "--json"))
    }

    @Test func garbageIsNamedAndItsControlCharactersAreNot() async throws {
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

    @Test func aServerThatClosesIsNamed() async throws {
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

    @Test func aServerThatClosesBehindItsCertificateDoesNotHideIt() async throws {
        let stage = try ProbeStage()
        var settings = ScriptedServer.Settings(tls: ServerTLS(stage.leaf))
        settings.closesAfterFirstFlight = true
        try await ScriptedServer.with(settings) { server in
            let output = try ProbeOutput.read(
                await stage.run(["\(ProbeStage.host):\(server.port)", "--json"]).output)
            let probe = try #require(output.probes.first)
            #expect(probe.certificates.first?.pin == stage.leaf.spkiDigest.base64)
        }
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

    @Test func aChainThatTheTLSLibraryDoesNotTakeIsNamed() async throws {
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
