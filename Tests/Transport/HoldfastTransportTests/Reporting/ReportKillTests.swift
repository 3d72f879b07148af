#if os(Linux)
import Foundation
import HoldfastTestSupport
import HoldfastTransport
import HoldfastTransportTestSupport
import HoldfastTrust
import Testing

/// A process is killed while it sends. The next process sends the same report.
@Suite(.timeLimit(.minutes(2))) struct ReportKillTests {
    static let variable = "HOLDFAST_TEST_REPORT_CHILD"

    /// The work of the process that is killed, not a test.
    @Test(.enabled(if: ProcessInfo.processInfo.environment[variable] != nil))
    func reportChild() async throws {
        let parts = try #require(ProcessInfo.processInfo.environment[Self.variable]).split(separator: "|").map(
            String.init)
        let world = try ReportWorld(pinned: PinnedWorld(), folder: parts[0])
        let reporter = world.reporter()
        reporter.record(try world.failure(to: [parts[1]]))
        try await reporter.run()
    }

    @Test(.enabled(if: ProcessInfo.processInfo.environment[variable] == nil))
    func aReportSurvivesTheKilledProcess() async throws {
        try await ReportWorld.with { world in
            let never = Trigger()
            try await ScriptedServer.with({ $0.connection == 0 ? [.wait(never)] : [.respond()] }) { server in
                let uri = "http://127.0.0.1:\(server.port)/report"
                let child = try PeerProcess.test(
                    "ReportKillTests", variable: Self.variable, value: "\(world.folder)|\(uri)")
                await server.waitForRequests(1)
                child.stop()
                await server.waitForClosed(1)
                #expect(try world.files().count == 1)
                try await world.running(world.reporter()) { await world.events.until(.sent) }
                #expect(server.requests.count == 2)
                #expect(Set(server.requests.map(\.body)).count == 1)
                let ids = server.requests.compactMap { $0.field("holdfast-report-id") }
                #expect(ids.count == 2 && Set(ids).count == 1 && ids.first?.count == 32)
                #expect(server.requests.compactMap { $0.field("idempotency-key") } == ids.map { "\"\($0)\"" })
                #expect(try world.files().isEmpty)
            }
        }
    }
}

extension PeerProcess {
    /// Runs a suite of this test program in a separate process, with an environment variable that enables it.
    static func test(_ suite: String, variable: String, value: String) throws -> PeerProcess {
        let program = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
        return try PeerProcess(
            "/usr/bin/env",
            ["\(variable)=\(value)", program, "--testing-library", "swift-testing", "--filter", suite])
    }
}
#endif
