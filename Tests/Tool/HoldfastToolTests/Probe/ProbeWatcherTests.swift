import Foundation
import HoldfastTestSupport
import HoldfastTransportTestSupport
import HoldfastTrust
import Synchronization
import Testing

@testable import HoldfastTool

@Suite("holdfast probe: watching") struct ProbeWatcherTests {
    /// Counts pauses, which end at once.
    private final class Pauses: Sendable {
        let taken = Mutex<[Duration]>([])
    }

    private func watcher(
        rounds: Int? = nil, pauses: Pauses = Pauses(), interruption: @escaping @Sendable () async -> Void
    ) -> ProbeWatcher {
        var watcher = ProbeWatcher(pace: ProbePace(interval: .seconds(300), chance: { 0.5 }), rounds: rounds)
        watcher.pause = { pause in pauses.taken.withLock { $0.append(pause) } }
        watcher.interruption = interruption
        return watcher
    }

    /// An interruption that never comes.
    private static let never: @Sendable () async -> Void = {
        let (stream, _) = AsyncStream.makeStream(of: Never.self)
        for await _ in stream {}
    }

    @Test func endsAfterItsRoundsWithTheLastStatus() async throws {
        let pauses = Pauses()
        let status = try await watcher(rounds: 3, pauses: pauses, interruption: Self.never).run { _, number in
            number == 3 ? .failure : .success
        }
        #expect(status == .failure)
        #expect(pauses.taken.withLock { $0 } == [.seconds(300), .seconds(300)])
    }

    @Test func anInterruptionEndsAPauseAndIsSuccess() async throws {
        let interrupted = Trigger()
        var watcher = watcher(interruption: { await interrupted.wait() })
        watcher.pause = { _ in
            interrupted.fire()
            for await _ in AsyncStream.makeStream(of: Never.self).stream {}
            try Task.checkCancellation()
        }
        let status = try await watcher.run { _, _ in .failure }
        #expect(status == .success)
    }

    @Test func aRoundThatThrowsEndsTheWatch() async throws {
        await #expect(throws: ToolError.self) {
            try await watcher(interruption: Self.never).run { _, _ in throw ToolError("nobody reads") }
        }
    }

    @Test func failingServerDoesNotEndAWatch() async throws {
        let stage = try ProbeStage()
        let folder = try TemporaryFolder()
        let metrics = folder.path + "/holdfast.prom"
        let transcript = Transcript()
        let first = try await Self.start(stage.leaf)
        let port = first.port
        var run = ProbeRun(
            prober: stage.prober,
            targets: [try ProbeTarget("\(ProbeStage.host):\(port)"), try ProbeTarget("\(ProbeStage.host):1")],
            console: transcript.console)
        run.format = .json
        run.metricsFile = MetricsFile(path: metrics)
        var watcher = watcher(rounds: 2, interruption: Self.never)
        // The server stops during the pause.
        watcher.pause = { _ in try await first.stop() }
        let status = try await run.watch(watcher)
        #expect(status == .unreachable)
        let rounds = try transcript.output.split(separator: "\n").map { try ProbeOutput.read($0) }
        #expect(rounds.map(\.exitCode) == [3, 3])
        #expect(rounds.map { $0.probes.map(\.result) } == [["allow", "none"], ["none", "none"]])
        #expect(rounds.map { $0.events?.map(\.kind) } == [["lost"], ["lost"]])
        let text = try String(contentsOfFile: metrics, encoding: .utf8)
        #expect(text.contains("holdfast_probe_changes_total{host=\"shop.example\",port=\"\(port)\",kind=\"lost\"} 1\n"))
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["holdfast.prom"])
    }

    /// An interruption ends a round: servers that were not probed yet are skipped.
    @Test(.timeLimit(.minutes(1))) func interruptedRoundProbesNoFurtherServers() async throws {
        let stage = try ProbeStage()
        try await ScriptedServer.with(ScriptedServer.Settings(tls: ServerTLS(stage.leaf))) { server in
            let transcript = Transcript()
            let targets = try (0..<20).map { try ProbeTarget("h\($0).example:\(server.port)") }
            let run = ProbeRun(prober: stage.prober, targets: targets, console: transcript.console)
            let task = Task {
                while !Task.isCancelled { await Task.yield() }
                return try await run.once()
            }
            task.cancel()
            await #expect(throws: CancellationError.self) { try await task.value }
            #expect(server.connectionCount == 0)
            #expect(transcript.output.isEmpty)
        }
    }

    private static func start(_ identity: Identity) async throws -> ScriptedServer {
        var settings = ScriptedServer.Settings(tls: ServerTLS(identity))
        settings.readsRequests = false
        return try await ScriptedServer.start(settings)
    }

    @Test func watchesTheRequestedNumberOfRounds() async throws {
        let stage = try ProbeStage()
        let other = try stage.folder.file("other.pem", try stage.factory.authority("Other").certificatePEM)
        try await stage.serving { port in
            let transcript = Transcript()
            let status = await ToolRun(console: transcript.console).run([
                "probe", "\(ProbeStage.host):\(port)", "--connect-to", "127.0.0.1", "--watch", "--rounds", "1",
                "--expect", "block", "--format", "json", "--trust-anchors", other,
            ])
            // The authority is unknown, so the server is refused as expected.
            #expect(status == .success, "\(transcript.notes)")
            let output = try ProbeOutput.read(transcript.output)
            #expect(transcript.output.split(separator: "\n").count == 1)
            #expect(output.events?.isEmpty == true)
        }
    }

    @Test func aMetricsFileIsReplacedAsAWholeAndReadableByOthers() throws {
        let folder = try TemporaryFolder()
        let path = folder.path + "/a.prom"
        let file = MetricsFile(path: path)
        try file.replace(with: String(repeating: "long\n", count: 100))
        try file.replace(with: "short\n")
        #expect(try String(contentsOfFile: path, encoding: .utf8) == "short\n")
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["a.prom"])
        let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
        #expect((mode ?? 0) & 0o044 == 0o044)
    }

    @Test func linkAtMetricsFileIsReplacedAndNotFollowed() throws {
        let folder = try TemporaryFolder()
        let victim = try folder.file("victim", "precious")
        let path = folder.path + "/a.prom"
        try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: victim)
        try MetricsFile(path: path).replace(with: "metrics")
        #expect(try String(contentsOfFile: victim, encoding: .utf8) == "precious")
        #expect(try String(contentsOfFile: path, encoding: .utf8) == "metrics")
    }

    @Test func unwritableMetricsFileIsAnErrorOnceAndANoteInAWatch() async throws {
        let stage = try ProbeStage()
        let none = stage.folder.path + "/none/a.prom"
        let outcome = try await stage.probe(nil, "--metrics-file", none)
        #expect(outcome.status == .unusableInput)
        #expect(outcome.notes.contains("a.prom"))
        // The report is still printed, and an unexpected result takes precedence over the file.
        #expect(outcome.output.hasSuffix("  allowed\n"))
        #expect(try await stage.probe(nil, "--expect", "block", "--metrics-file", none).status == .failure)
        try await stage.serving { port in
            let transcript = Transcript()
            var run = ProbeRun(
                prober: stage.prober, targets: [try ProbeTarget("\(ProbeStage.host):\(port)")],
                console: transcript.console)
            run.metricsFile = MetricsFile(path: stage.folder.path + "/none/a.prom")
            let status = try await run.watch(watcher(rounds: 2, interruption: Self.never))
            #expect(status == .success)
            #expect(transcript.notes.split(separator: "\n").count == 2)
            #expect(transcript.output.hasSuffix("shop.example:\(port): allowed, 90 days left\n"))
        }
    }
}
