import ChatDevServer
import Foundation
import HoldfastTestSupport
import HoldfastTrust
import Synchronization
import Testing

@testable import HoldfastTool

@Suite("holdfast demo", .serialized) struct DemoTests {
    @Test(.timeLimit(.minutes(2))) func everyStepPasses() async throws {
        let recorder = Recorder()
        let status = await ToolRun(console: recorder.console).run(["demo", "--json"])
        let output = try JSONDecoder().decode(DemoOutput.self, from: Data(recorder.printed.utf8))
        for step in output.steps {
            #expect(step.ok, "\(step.number). \(step.name) [\(step.mode)]: \(step.observed). \(step.detail)")
        }
        #expect(status == .success)
        #expect(output.passed)
        #expect(output.address.hasPrefix("https://127.0.0.1:"))
        #expect(recorder.noted.isEmpty, "\(recorder.noted)")

        // The steps that the demo must at least contain.
        let seen = Set(output.steps.map { "\($0.chapter) | \($0.mode) | \($0.observed)" })
        let required: Set = [
            "chat | system + pins | accepted: pinMatched",
            "chat | pinned keys only | works",
            "attacks | system + pins | refused: unknownIssuer",
            "attacks | system + pins | refused: pinMismatch",
            "attacks | system + pins | refused: expired",
            "attacks | system + pins | refused: hostMismatch",
            "attacks | pinned keys only | refused: pinMismatch",
            "attacks | pinned keys only | refused: hostMismatch",
            "lookalikes | pinned keys only | accepted: pinMatched",
            "lookalikes | system + pins | accepted: pinMatched",
        ]
        #expect(required.subtracting(seen).isEmpty, "\(required.subtracting(seen))")
        #expect(!output.steps.contains { $0.chapter == "attacks" && !$0.observed.hasPrefix("refused") })
    }

    @Test func printsStepsAndTable() async throws {
        let recorder = Recorder()
        let demo = Demo(steps: [.handshake], narrator: DemoNarrator(recorder.console))
        let report = try await demo.run { _, _ in }
        #expect(report.status == .success)
        #expect(recorder.printed.contains("1. the pinned handshake [system + pins]: accepted: pinMatched"))
        #expect(report.table().hasSuffix("All 1 steps have the expected result."))
    }

    /// The demo can fail: the genuine server where an impostor is expected, and vice versa.
    @Test func unexpectedOutcomeFailsTheDemo() async throws {
        var handshake = DemoStep.handshake
        handshake.expectation = .refused(.pinMismatch)
        var attack = try #require(DemoStep.attacks.first)
        attack.expectation = .accepted(.pinMatched)
        let broken = DemoStep(.chat, "broken", .systemAndPins, .worked) { _ in throw ToolError("it broke") }
        let demo = Demo(steps: [handshake, attack, broken] + DemoStep.lookalikes.prefix(1), narrator: .silent)
        let report = try await demo.run { _, _ in }
        #expect(report.results.map(\.isAsItMustBe) == [false, false, false, true])
        #expect(report.results[2].observation == .failed("it broke"))
        #expect(report.status == .failure)
    }

    @Test(.enabled(if: Shell.hasOpenSSL, "openssl is not installed"))
    func printedCommandsPrintTheSameHashes() async throws {
        let checked = Mutex(0)
        let demo = Demo(steps: [.handshake], narrator: .silent)
        _ = try await demo.run { report, _ in
            let lines = try #require(report.results.first).observation.lines
            for (line, next) in zip(lines, lines.dropFirst()) {
                guard let command = next.components(separatedBy: "verify with: ").dropFirst().first else { continue }
                #expect(line.hasSuffix(try Shell.output(of: command)), "\(command)")
                checked.withLock { $0 += 1 }
            }
        }
        // The server's certificate and its intermediate.
        #expect(checked.withLock { $0 } == 2)
    }

    @Test func serverAnswersAfterTheReport() async throws {
        let demo = Demo(steps: [.handshake], narrator: .silent)
        let port = Mutex(0)
        _ = try await demo.run { _, stage in
            let visit = DemoVisit(
                trust: try DemoTrust(authority: stage.authority).systemAndPins(), clock: stage.clock,
                host: stage.authority.host, port: stage.address.port)
            #expect(try await visit.overHTTPS().observation.outcome == .accepted(.pinMatched))
            port.withLock { $0 = stage.address.port }

            let invitation = try DemoInvitation(stage)
            let words = invitation.lines.joined(separator: " ").split(separator: " ").map(String.init)
            let root = try #require(words.first { $0.hasSuffix("root.pem") })
            let certificates = try CertificateLoading.certificates(atPath: root)
            #expect(certificates == [stage.authority.root.view])
        }
        // The server has stopped afterwards.
        await #expect(throws: (any Error).self) {
            let port = port.withLock { $0 }
            _ = try await DemoVisit(
                trust: .dangerouslyAcceptAnyCertificate(), clock: .system, host: "localhost", port: port
            ).overHTTPS()
        }
    }

    @Test func portInUseIsReportedInOneSentence() async throws {
        let identity = try ServerCertificateAuthority(now: TrustClock.system.now()).identity(for: .genuine)
        try await CertificateScenarioServer.with(presenting: identity) { server in
            let recorder = Recorder()
            let status = await ToolRun(console: recorder.console).run(["demo", "--port", "\(server.port)"])
            #expect(status == .unusableInput)
            #expect(recorder.printed.isEmpty)
            #expect(recorder.noted.split(separator: "\n").count == 1)
            #expect(recorder.noted.contains("127.0.0.1:\(server.port)"))
        }
    }
}
