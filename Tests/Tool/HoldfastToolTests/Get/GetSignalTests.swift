import Foundation
import HoldfastTransportTestSupport
import Testing

@testable import HoldfastTool

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// Ends `holdfast get` in separate processes, with signals and by closing its output.
@Suite("Tool: get, signals", .serialized, .timeLimit(.minutes(2))) struct GetSignalTests {
    private let stage: GetStage
    private let temporary: TemporaryFolder

    init() throws {
        stage = try GetStage()
        temporary = try TemporaryFolder()
    }

    /// Sends the beginning of a file and then nothing.
    private static let slow: @Sendable (ScriptedRequest) -> [ScriptedAction] = { _ in
        [.text("HTTP/1.1 200 OK\nETag: \"v1\"\nContent-Length: 100000\n\n" + String(repeating: "x", count: 50_000))]
    }

    private func start(
        _ server: ScriptedServer, _ arguments: String..., takesOutput: Bool = true
    ) throws -> ChildTool {
        try ChildTool(
            ["get", "http://127.0.0.1:\(server.port)/map"] + arguments, temporary: temporary.path,
            takesOutput: takesOutput)
    }

    /// The part of a download stays, and the next run resumes it.
    @Test(arguments: [SIGINT, SIGTERM, SIGHUP]) func aDownloadEnds(by signal: Int32) async throws {
        try await ScriptedServer.with(Self.slow) { server in
            let tool = try start(server, "--output", stage.path("map"), "--verbose")
            try await tool.says("< Content-Length: 100000")
            tool.send(signal)
            #expect(await tool.ending() == .signal(signal), "\(tool.notes)")
            #expect(tool.notes.contains("interrupted; --continue resumes the download\n"), "\(tool.notes)")
            #expect(stage.contents("map") == nil)
        }
    }

    /// A response that cannot be resumed leaves nothing.
    @Test func aResponseToAPostLeavesNothing() async throws {
        try await ScriptedServer.with(Self.slow) { server in
            let tool = try start(server, "--data", "x", "--output", stage.path("map"), "--verbose")
            try await tool.says("< Content-Length: 100000")
            tool.send(SIGTERM)
            #expect(await tool.ending() == .signal(SIGTERM), "\(tool.notes)")
            #expect(stage.names.isEmpty)
        }
    }

    /// `holdfast get URL | head`, with a server that sends nothing more.
    @Test func closedOutputEndsTheCommand() async throws {
        try await ScriptedServer.with(ScriptedServer.Settings()) { server in
            let tool = try start(server, takesOutput: false)
            await server.waitForRequests(1)
            tool.closeOutput()
            #expect(await tool.ending() == .exit(2), "\(tool.notes)")
        }
    }

    /// The pipe has no reader, so opening it waits.
    @Test func openingAPipeCanBeCancelled() async throws {
        let path = stage.path("pipe")
        try #require(mkfifo(path, 0o600) == 0)
        await withTaskGroup(of: Bool.self) { group in
            group.addTask {
                do {
                    _ = try await DeviceSink.opened(path)
                    return false
                } catch {
                    return error is CancellationError
                }
            }
            group.cancelAll()
            #expect(await group.next() == true)
        }
        // Ends the thread that waits, if it has started.
        let reader = open(path, O_RDONLY | O_NONBLOCK)
        #expect(reader >= 0)
        close(reader)
    }

    @Test func aPipeGetsEveryByte() async throws {
        let payload = String(repeating: "0123456789", count: 100_000) + "the end"
        try await ScriptedServer.with { _ in
            [.respond(payload)]
        } _: { server in
            let tool = try start(server)
            #expect(await tool.ending() == .exit(0), "\(tool.notes)")
            try await tool.says("the end")
            #expect(tool.printed.utf8.count == payload.utf8.count)
        }
    }
}
