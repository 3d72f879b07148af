import HoldfastTestSupport
import HoldfastTransport
import HoldfastTransportTestSupport
import HoldfastTrust
import Testing

@testable import HoldfastTool

@Suite("holdfast probe: servers") struct ProbeServerTests {
    private func only(_ outcome: ToolOutcome) throws -> ProbeOutput.Probe {
        let output = try ProbeOutput.read(outcome.output)
        #expect(output.exitCode == Int(outcome.status.rawValue))
        return try #require(output.probes.count == 1 ? output.probes.first : nil)
    }

    @Test func trustedServerIsAllowedAndDescribed() async throws {
        let stage = try ProbeStage()
        let policy = try stage.policy(stage.leaf.spkiDigest, stage.backup.spkiDigest)
        let outcome = try await stage.probe(nil, "--policy", policy, "--json")
        #expect(outcome.status == .success, "\(outcome.notes)")
        let probe = try only(outcome)
        #expect(probe.result == "allow")
        #expect(probe.asExpected == true)
        #expect(probe.connection?.tlsVersion == "TLSv1.3")
        #expect(probe.connection?.cipherSuite?.hasPrefix("TLS_") == true)
        #expect(probe.connection?.serverName == ProbeStage.host)
        #expect(probe.connection?.address.hasPrefix("127.0.0.1:") == true)
        // The sent certificates, and the root, which was not sent.
        #expect(
            probe.certificates.map(\.pin)
                == [stage.leaf, stage.intermediate, stage.root].map(\.spkiDigest.base64))
        #expect(probe.certificates.map(\.served) == [0, 1, nil])
        #expect(probe.certificates.map(\.path) == [0, 1, 2])
        #expect(probe.certificates.map(\.pinMatch) == ["matched", nil, nil])
        #expect(probe.certificates.first?.daysLeft == 90)
        #expect(probe.certificates.first?.key == "EC P-256")
        #expect(probe.verdicts.map(\.judge) == ["system", "test"])
        #expect(probe.verdicts.map(\.code) == ["validPath", "pinMatched"])
        #expect(probe.unseenPins.map(\.sha256) == [stage.backup.spkiDigest.base64])
        #expect(probe.warnings.isEmpty)
        #expect(probe.advice == nil)
    }

    @Test func withoutPolicyOnlyTheSystemDecides() async throws {
        let stage = try ProbeStage()
        let probe = try only(try await stage.probe(nil, "--json"))
        #expect(probe.result == "allow")
        #expect(probe.verdicts.map(\.judge) == ["system"])
    }

    @Test func chosenProtocolIsShown() async throws {
        let stage = try ProbeStage()
        var tls = ServerTLS(stage.leaf)
        tls.applicationProtocols = ["http/1.1"]
        tls.maximumVersion = .tls12
        let probe = try only(try await stage.probe(tls, "--json"))
        #expect(probe.connection?.alpn == "http/1.1")
        #expect(probe.connection?.tlsVersion == "TLSv1.2")
    }

    @Test func mismatchShowsSeenPinsAndRemedy() async throws {
        let stage = try ProbeStage()
        let other = try Key(.p256).spkiDigest
        let policy = try stage.policy(other, stage.backup.spkiDigest)
        let outcome = try await stage.probe(nil, "--policy", policy)
        #expect(outcome.status == .failure)
        #expect(outcome.notes.isEmpty)
        let text = outcome.output
        #expect(text.contains("refused (pinMismatch), expected: allow"))
        #expect(text.contains("  system: allow"))
        #expect(text.contains("  test: block"))
        #expect(text.contains("\(stage.leaf.spkiDigest) CN=shop.example"))
        #expect(text.contains("expected one of:"))
        #expect(text.contains("\(other)"))
        #expect(text.contains("\"\(stage.leaf.spkiDigest)\""))
        #expect(text.contains("policy.json:5:"), "\(text)")
        #expect(text.contains("CAUTION"))

        let expected = try await stage.probe(nil, "--policy", policy, "--expect", "block", "--json")
        #expect(expected.status == .success)
        let probe = try only(expected)
        #expect(probe.result == "block")
        #expect(probe.verdicts.map(\.permits) == [true, false])
        #expect(probe.advice?.line == "\"\(stage.leaf.spkiDigest)\"")
    }

    @Test func allowedServerFailsExpectBlock() async throws {
        let stage = try ProbeStage()
        let outcome = try await stage.probe(nil, "--expect", "block")
        #expect(outcome.status == .failure)
        #expect(outcome.output.contains("allowed, expected: block"))
    }

    @Test func expiredCertificateIsRefused() async throws {
        let stage = try ProbeStage(.init(notAfter: ProbeStage.now.advanced(bySeconds: -86_400)))
        let outcome = try await stage.probe(nil, "--json")
        #expect(outcome.status == .failure)
        let probe = try only(outcome)
        #expect(probe.verdicts.map(\.code) == ["expired"])
        #expect(probe.certificates.first?.daysLeft == -1)
        #expect(probe.warnings.map(\.code) == ["leafExpires"])
    }

    @Test func aWrongNameIsRefused() async throws {
        let stage = try ProbeStage()
        let other = try stage.factory.leaf(["other.example"], signedBy: stage.intermediate)
        let probe = try only(try await stage.probe(ServerTLS(other), "--json"))
        #expect(probe.result == "block")
        #expect(probe.verdicts.map(\.code) == ["hostMismatch"])
    }

    @Test func anUnknownAuthorityIsRefusedAndItsChainIsShown() async throws {
        let stage = try ProbeStage()
        let rogue = try stage.factory.authority("Rogue")
        let leaf = try stage.factory.leaf([ProbeStage.host], signedBy: rogue)
        let probe = try only(try await stage.probe(ServerTLS(leaf), "--json"))
        #expect(probe.verdicts.map(\.code) == ["unknownIssuer"])
        #expect(probe.certificates.map(\.served) == [0])
        #expect(probe.certificates.map(\.path) == [nil])
    }

    @Test func pinnedCertificateOutsideThePathDoesNotCount() async throws {
        let stage = try ProbeStage()
        let fresh = try stage.factory.leaf([ProbeStage.host], signedBy: stage.root)
        let policy = try stage.policy(stage.intermediate.spkiDigest, stage.backup.spkiDigest)
        let smuggling = ServerTLS(chain: [fresh.certificateDER, stage.intermediate.certificateDER], keyOf: fresh)
        let probe = try only(try await stage.probe(smuggling, "--policy", policy, "--json"))
        #expect(probe.result == "block")
        #expect(probe.certificates.map(\.pinMatch) == [nil, "unverified", nil])
        #expect(probe.warnings.map(\.code) == ["pinNotVerified"])
        // Anyone can send a certificate along: its pin is still unused, and it makes no time series.
        #expect(probe.unseenPins.map(\.sha256).contains(stage.intermediate.spkiDigest.base64))
        let metrics = try await stage.probe(smuggling, "--policy", policy, "--format", "prometheus").output
        #expect(metrics.contains("position=\"0\""))
        #expect(metrics.contains("position=\"added-1\""))
        #expect(!metrics.contains("position=\"1\""))
    }

    @Test func repeatedCertificateMakesOneSample() async throws {
        let stage = try ProbeStage()
        let repeating = ServerTLS(
            chain: Array(repeating: stage.leaf.certificateDER, count: 20) + [stage.intermediate.certificateDER],
            keyOf: stage.leaf)
        let metrics = try await stage.probe(repeating, "--format", "prometheus").output
        let samples = metrics.split(separator: "\n").filter {
            $0.hasPrefix("holdfast_probe_certificate_not_after_timestamp_seconds{")
        }
        #expect(samples.count == 3, "\(metrics)")
    }

    @Test func withoutApplicablePinTheSystemReasonIsShown() async throws {
        let stage = try ProbeStage()
        let policy = try stage.folder.file(
            "other.json",
            """
            {"holdfast": 1, "name": "other", "domains": [{"host": "other.example", "pins":
            ["\(stage.leaf.spkiDigest)", "\(stage.backup.spkiDigest)"]}]}
            """)
        let rogue = ServerTLS(
            try stage.factory.leaf([ProbeStage.host], signedBy: try stage.factory.authority("Rogue")))
        let outcome = try await stage.probe(rogue, "--policy", policy)
        #expect(outcome.status == .failure)
        #expect(outcome.lines.last == "  refused (unknownIssuer), expected: allow")
        let metrics = try await stage.probe(rogue, "--policy", policy, "--format", "prometheus").output
        #expect(metrics.contains("judge=\"policy\",code=\"unknownIssuer\"} 0\n"))
    }

    @Test func hostOutsideThePolicyIsReported() async throws {
        let stage = try ProbeStage()
        let policy = try stage.folder.file(
            "other.json",
            """
            {"holdfast": 1, "name": "other", "domains": [{"host": "other.example", "pins":
            ["\(stage.leaf.spkiDigest)", "\(stage.backup.spkiDigest)"]}]}
            """)
        let probe = try only(try await stage.probe(nil, "--policy", policy, "--json"))
        #expect(probe.result == "allow")
        #expect(probe.warnings.map(\.code) == ["notInPolicy"])
    }

    @Test func warnsOfNearExpiry() async throws {
        let stage = try ProbeStage(.init(notAfter: ProbeStage.now.advanced(bySeconds: 10 * 86_400)))
        let expires = ProbeStage.now.advanced(bySeconds: 20 * 86_400)
        let policy = try stage.policy(
            stage.leaf.spkiDigest, stage.backup.spkiDigest, more: ", \"expires\": \"\(expires)\"")
        let near = try only(try await stage.probe(nil, "--policy", policy, "--warn-days-policy", "30", "--json"))
        #expect(near.warnings.map(\.code) == ["leafExpires", "policyExpires"])
        let far = try only(try await stage.probe(nil, "--policy", policy, "--warn-days", "10", "--json"))
        #expect(far.warnings.isEmpty)
    }

    @Test func anAddressIsProbedWithoutAServerName() async throws {
        let stage = try ProbeStage()
        let leaf = try stage.factory.leaf([], ipAddresses: ["::1"], signedBy: stage.intermediate)
        try await stage.serving(ServerTLS(leaf)) { port in
            let outcome = await stage.run(["[::1]:\(port)", "--json"])
            #expect(outcome.status == .success, "\(outcome.notes)")
            let probe = try only(outcome)
            #expect(probe.host == "::1")
            #expect(probe.port == Int(port))
            #expect(probe.connection?.serverName == nil)
            let text = await stage.run(["https://[::1]:\(port)/path"])
            #expect(text.output.hasPrefix("[::1]:\(port)"))
            #expect(text.output.contains("none sent: the host is an address"))
        }
    }

    @Test func severalServersShareOneExitCode() async throws {
        let stage = try ProbeStage()
        try await stage.serving { port in
            let hosts = try stage.folder.file(
                "hosts", "# Ours\n\n  shop.example:\(port)  # the shop\nother.example:\(port)\r\nshop.example:\(port)\n"
            )
            let outcome = await stage.run(["--hosts", hosts, "--json"])
            #expect(outcome.status == .failure)
            let output = try ProbeOutput.read(outcome.output)
            #expect(output.probes.map(\.host) == ["shop.example", "other.example"])
            #expect(output.probes.map(\.result) == ["allow", "block"])
        }
    }

    @Test func connectsThroughAProxy() async throws {
        let stage = try ProbeStage()
        try await stage.serving { port in
            try await ScriptedProxy.with([.awaitHead, .text("HTTP/1.1 200 OK\r\n\r\n"), .tunnel(to: port)]) { proxy in
                let outcome = await stage.run([
                    "\(ProbeStage.host):\(port)", "--proxy", "http://127.0.0.1:\(proxy.port)", "--json",
                ])
                #expect(outcome.status == .success, "\(outcome.notes) \(outcome.output)")
                #expect(proxy.heard.count == 2)
            }
        }
    }

    @Test func changeBetweenTwoConnectionsIsReported() async throws {
        let stage = try ProbeStage()
        var settings = ScriptedServer.Settings(tls: ServerTLS(stage.leaf))
        settings.readsRequests = false
        let report = try await ScriptedServer.with(settings) { server in
            var prober = stage.prober
            // The certificate expires between the survey and the client's connection.
            prober.clock = TrustClock {
                server.connectionCount < 2 ? ProbeStage.now : ProbeStage.now.advanced(bySeconds: 200 * 86_400)
            }
            return await prober.probe(try ProbeTarget("\(ProbeStage.host):\(server.port)"))
        }
        // The report shows the verdict that decided.
        #expect(report.verdicts.map(\.permits) == [false])
        #expect(report.outcome.permits == false)
        #expect(report.status == .failure)
        #expect(report.warnings.map(\.code).contains(.differingAnswers))
    }

    /// Several servers may share one name. The report shows what was presented to the client.
    @Test(arguments: [true, false])
    func decidingChainIsShown(isAllowed: Bool) async throws {
        let stage = try ProbeStage()
        let other = try stage.factory.leaf([ProbeStage.host], signedBy: stage.root)
        var prober = stage.prober
        prober.trust = try stage.trust(stage.leaf.spkiDigest, isAllowed ? other.spkiDigest : stage.backup.spkiDigest)
        let looking = prober
        let host = try CanonicalHost(ProbeStage.host)
        let survey = try await stage.serving { await looking.survey(ProbeTarget(host: host, port: $0)) }
        let report = try await stage.serving(ServerTLS(other)) { port in
            let target = ProbeTarget(host: host, port: port)
            let result = await looking.dial(target, trust: looking.trust.context(anchors: looking.anchors))
            return await looking.report(on: target, at: ProbeStage.now, survey, result)
        }
        #expect(survey.verdicts.map(\.permitsConnection) == [true, true])
        #expect(report.outcome.permits == isAllowed)
        #expect(report.leaf?.spki == other.spkiDigest)
        #expect(report.verdicts.map(\.permits) == [true, isAllowed])
        #expect(report.warnings.map(\.code) == [.differingAnswers])
        #expect((report.advice == nil) == isAllowed)
        // The facts of the first connection are not used for the second.
        #expect((report.connection != nil) == isAllowed)
    }
}
