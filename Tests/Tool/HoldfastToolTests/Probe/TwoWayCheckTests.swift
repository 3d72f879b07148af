import HoldfastTestSupport
import HoldfastTransportTestSupport
import HoldfastTrust
import Testing

@testable import HoldfastTool

@Suite("holdfast probe: the check with an impostor") struct TwoWayCheckTests {
    private func check(
        _ stage: ProbeStage, _ certificates: [(String, [UInt8])], host: String = ProbeStage.host,
        serving identity: Identity? = nil
    ) async throws -> (ToolOutcome, ProbeOutput.Probe) {
        let folder = try TemporaryFolder()
        for (name, der) in certificates { _ = try folder.file(name, der) }
        return try await stage.serving(identity.map(ServerTLS.init)) { port in
            let outcome = await stage.run(["\(host):\(port)", "--trusted-certificates", folder.path, "--json"])
            let probe = try #require(try ProbeOutput.read(outcome.output).probes.first)
            return (outcome, probe)
        }
    }

    @Test func acceptsServerAndRefusesImpostors() async throws {
        let stage = try ProbeStage()
        let (outcome, probe) = try await check(
            stage, [("main_cert.cer", stage.leaf.certificateDER), ("ca.der", stage.intermediate.certificateDER)])
        #expect(outcome.status == .success, "\(outcome.notes)")
        let check = try #require(probe.twoWay)
        #expect(check.passed)
        #expect(check.steps.map(\.expected) == ["allow", "allow", "block", "block"])
        #expect(check.steps.map(\.result) == ["allow", "allow", "block", "block"])
        #expect(check.steps.dropFirst(2).allSatisfy { $0.code == "pinMismatch" })
    }

    @Test func serverOutsideTheFolderFailsTheCheck() async throws {
        let stage = try ProbeStage()
        let other = try stage.factory.authority("Other")
        let (outcome, probe) = try await check(stage, [("other.cer", other.certificateDER)])
        #expect(outcome.status == .failure)
        #expect(probe.twoWay?.steps.map(\.passed) == [false, true, true, true])
        // The command contains the given address, and a file name that is unique to the key.
        let line = try #require(probe.advice?.line)
        #expect(line.contains("openssl s_client -connect 127.0.0.1:"))
        #expect(line.contains(" -servername shop.example "))
        let mark = stage.leaf.spkiDigest.base64.filter { $0.isLetter || $0.isNumber }.prefix(8)
        #expect(line.hasSuffix("/shop.example-\(mark).cer"), "\(line)")
    }

    @Test func checksIPAddresses() async throws {
        let stage = try ProbeStage()
        let leaf = try stage.factory.leaf([], ipAddresses: ["127.0.0.1"], signedBy: stage.intermediate)
        let (outcome, probe) = try await check(
            stage, [("ca.cer", stage.intermediate.certificateDER)], host: "127.0.0.1", serving: leaf)
        #expect(outcome.status == .success, "\(outcome.output)")
        #expect(probe.twoWay?.passed == true)
    }

    @Test func unreachableServerHasNoVerdict() async throws {
        let stage = try ProbeStage()
        let folder = try TemporaryFolder()
        _ = try folder.file("a.cer", stage.leaf.certificateDER)
        let outcome = await stage.run(["\(ProbeStage.host):1", "--trusted-certificates", folder.path])
        #expect(outcome.status == .unreachable)
        #expect(outcome.output.contains("two-way check: FAILED"))
        #expect(outcome.output.contains("BAD  the server itself: failed (connectionRefused)"))
    }

    @Test func pemFileIsReported() async throws {
        let stage = try ProbeStage()
        let other = try stage.factory.authority("Other")
        // The app would not load the only file with the server's certificate.
        let (outcome, probe) = try await check(
            stage, [("a.cer", Array(stage.leaf.certificatePEM.utf8)), ("b.cer", other.certificateDER)])
        #expect(outcome.status == .failure)
        #expect(probe.warnings.map(\.code) == ["pemFile"])
        #expect(probe.twoWay?.steps.first?.result == "block")
    }

    @Test func folderWithOnlyPEMIsAnError() async throws {
        let stage = try ProbeStage()
        let folder = try TemporaryFolder()
        _ = try folder.file("a.cer", stage.leaf.certificatePEM)
        await ToolOutcome.of("probe", "a.example", "--trusted-certificates", folder.path)
            .expectUnusable("openssl x509 -outform DER")
    }

    /// A chain of more than 100 certificates is refused because of its length, which would say nothing about the keys.
    @Test func fullFolderDoesNotLengthenTheImpostorsChain() async throws {
        let stage = try ProbeStage()
        let many = try (0..<130).map { number in
            ("b\(number).cer", try stage.factory.authority("a", .init(keyKind: .p256)).certificateDER)
        }
        let (outcome, probe) = try await check(stage, [("a.cer", stage.leaf.certificateDER)] + many)
        #expect(outcome.status == .success, "\(outcome.output)")
        #expect(probe.twoWay?.steps.last?.code == "pinMismatch")
    }

    @Test func adviceCommandUsesTheProxy() async throws {
        let stage = try ProbeStage()
        let folder = try TemporaryFolder()
        _ = try folder.file("other.cer", try stage.factory.authority("Other").certificateDER)
        try await stage.serving { port in
            try await ScriptedProxy.with([.awaitHead, .text("HTTP/1.1 200 OK\r\n\r\n"), .tunnel(to: port)]) { proxy in
                let outcome = await stage.run([
                    "\(ProbeStage.host):\(port)", "--trusted-certificates", folder.path, "--proxy",
                    "http://127.0.0.1:\(proxy.port)", "--json",
                ])
                let probe = try #require(try ProbeOutput.read(outcome.output).probes.first)
                #expect(probe.advice?.line.contains(" -proxy 127.0.0.1:\(proxy.port) ") == true, "\(outcome.output)")
            }
        }
    }

    @Test func invalidCertificateAndEmptyFolderAreErrors() async throws {
        let folder = try TemporaryFolder()
        await ToolOutcome.of("probe", "a.example", "--trusted-certificates", folder.path)
            .expectUnusable("there is no certificate")
        _ = try folder.file("a.cer", "garbage")
        await ToolOutcome.of("probe", "a.example", "--trusted-certificates", folder.path).expectUnusable("a.cer")
        await ToolOutcome.of("probe", "a.example", "--trusted-certificates", folder.path + "/none")
            .expectUnusable("cannot list")
    }

    /// A step that fails for another reason than a refusal does not pass, nor does an allowed impostor.
    @Test func onlyARefusalByTheKeysCountsAsOne() throws {
        func refused(_ code: TrustFinding.Code) -> TwoWayReport.Step {
            let finding = ProbeVerdict.Finding(TrustFinding(code, "No."))
            return TwoWayReport.Step(name: "a", expectation: .block, outcome: .refused(finding))
        }
        #expect(refused(.pinMismatch).isPassed)
        for code in [TrustFinding.Code.tooManyCertificates, .expired, .evaluatorRefused] {
            #expect(!refused(code).isPassed)
        }
        let failure = ProbeOutcome.failed(ProbeFailure(code: "timedOut", reason: "late"))
        #expect(!TwoWayReport.Step(name: "a", expectation: .block, outcome: failure).isPassed)
        #expect(!TwoWayReport.Step(name: "a", expectation: .block, outcome: .allowed).isPassed)
        var report = ProbeReport(
            target: try ProbeTarget("a.example"), time: ProbeStage.now, outcome: .allowed)
        report.twoWay = TwoWayReport(steps: [TwoWayReport.Step(name: "a", expectation: .block, outcome: .allowed)])
        #expect(report.status == .failure)
    }
}
