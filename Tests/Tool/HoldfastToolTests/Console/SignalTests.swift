import ChatDevServer
import Foundation
import HoldfastWebSocket
import NIOCore
import NIOPosix
import Testing

@testable import HoldfastTool

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// Runs commands in separate processes and ends them with signals. Each must end within three seconds with the exit
/// code of docs/tool.md, and leave nothing in the temporary folder.
@Suite("Tool: signals", .serialized, .timeLimit(.minutes(3)))
struct SignalTests {
    private let folder: TemporaryFolder
    private static let limit = Duration.seconds(3)
    private static let signals = [SIGINT, SIGTERM, SIGHUP]

    init() throws { folder = try TemporaryFolder() }

    /// Ends the tool, and checks the time, the code and the temporary folder.
    private func expect(
        _ expected: ChildTool.Ending, of tool: ChildTool, after end: () -> Void,
        sourceLocation: SourceLocation = #_sourceLocation
    ) async throws {
        let start = ContinuousClock.now
        end()
        let ending = await tool.ending()
        let duration = start.duration(to: .now)
        #expect(ending == expected, "\(tool.printed) \(tool.notes)", sourceLocation: sourceLocation)
        #expect(duration < Self.limit, "\(tool.notes)", sourceLocation: sourceLocation)
        let left = try FileManager.default.contentsOfDirectory(atPath: folder.path)
        #expect(left.isEmpty, "\(left)", sourceLocation: sourceLocation)
    }

    private func start(_ arguments: String..., takesOutput: Bool = true) throws -> ChildTool {
        try ChildTool(arguments, temporary: folder.path, takesOutput: takesOutput)
    }

    private func serving<R: Sendable>(_ body: (String) async throws -> R) async throws -> R {
        var configuration = ChatDevServerConfiguration()
        configuration.botDelay = .milliseconds(10)
        return try await ChatDevServer.with(configuration) { server in
            try await body("http://127.0.0.1:\(try await server.started().port)")
        }
    }

    @Test(arguments: signals) func anIdleChatEnds(by signal: Int32) async throws {
        try await serving { server in
            let tool = try start("chat", server)
            try await tool.says("connection: ready")
            try await expect(.exit(0), of: tool) { tool.send(signal) }
        }
    }

    @Test(arguments: signals) func aBusyChatEnds(by signal: Int32) async throws {
        try await serving { server in
            let tool = try start("chat", server)
            for number in 0..<20 { tool.type("Line \(number)") }
            try await tool.says("You wrote: Line 1")
            let start = ContinuousClock.now
            tool.send(signal)
            // Whether the last line was sent by then depends on timing.
            let ending = await tool.ending()
            #expect(ending == .exit(0) || ending == .exit(1), "\(tool.notes)")
            #expect(start.duration(to: .now) < Self.limit)
            #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).isEmpty)
        }
    }

    @Test func aSecondSignalEndsAtOnce() async throws {
        // This server never answers the close frame: a single signal would take the whole grace period.
        try await WebSocketPeer.with(service: { _, _, channel in
            channel.setOption(.autoRead, value: false).whenComplete { _ in }
            try? await channel.closeFuture.get()
        }) { peer in
            let tool = try start("ws", peer.url)
            try await tool.says("connected to")
            let start = ContinuousClock.now
            // Two equal signals may be merged, and two different ones may arrive in either order.
            tool.send(SIGINT)
            tool.send(SIGTERM)
            let ending = await tool.ending()
            #expect(ending == .signal(SIGINT) || ending == .signal(SIGTERM), "\(tool.printed) \(tool.notes)")
            #expect(start.duration(to: .now) < Self.limit)
            #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).isEmpty)
        }
    }

    @Test(arguments: signals) func anIdleWebSocketCloses(by signal: Int32) async throws {
        try await WebSocketPeer.with { peer in
            let tool = try start("ws", peer.url)
            try await tool.says("connected to")
            try await expect(.exit(0), of: tool) { tool.send(signal) }
            #expect(await peer.end()?.code == .goingAway)
        }
    }

    @Test(arguments: signals) func aBusyWebSocketCloses(by signal: Int32) async throws {
        try await WebSocketPeer.with(service: { connection, _, _ in
            do {
                while true { try await connection.send(.text(String(repeating: "more and ", count: 400))) }
            } catch {}
        }) { peer in
            let tool = try start("ws", peer.url)
            try await tool.says("more and")
            try await expect(.exit(0), of: tool) { tool.send(signal) }
        }
    }

    @Test func blockedOutputDoesNotPreventEnd() async throws {
        try await WebSocketPeer.with(service: { connection, _, _ in
            do {
                while true { try await connection.send(.text(String(repeating: "x", count: 4_096))) }
            } catch {}
        }) { peer in
            let tool = try start("ws", peer.url, takesOutput: false)
            try await tool.says("connected to")
            let start = ContinuousClock.now
            tool.send(SIGTERM)
            // By the signal if the pipe is full by then; otherwise the closing handshake still completes.
            let ending = await tool.ending()
            #expect(ending == .signal(SIGTERM) || ending == .exit(0), "\(tool.notes)")
            #expect(start.duration(to: .now) < Self.limit)
        }
    }

    @Test(arguments: signals) func aWatchEnds(by signal: Int32) async throws {
        // Nothing listens on port 9 of loopback.
        let tool = try start("probe", "127.0.0.1:9", "--watch", "--interval", "60")
        try await tool.says("no verdict")
        try await expect(.exit(0), of: tool) { tool.send(signal) }
    }

    @Test(arguments: signals) func aChatServerEnds(by signal: Int32) async throws {
        let tool = try start("serve", "chat", "--in-memory", "--port", "0", "--json")
        try await tool.says("\n")
        try await expect(.exit(0), of: tool) { tool.send(signal) }
    }

    @Test(arguments: signals) func aBusyChatServerEnds(by signal: Int32) async throws {
        let tool = try start("serve", "chat", "--in-memory", "--port", "0", "--json")
        try await tool.says("\n")
        let line = try JSONSerialization.jsonObject(with: Data(tool.printed.utf8)) as? [String: Any]
        let rest = try #require(line?["rest"] as? String)
        let other = try TemporaryFolder()
        let client = try ChildTool(["chat", rest], temporary: other.path)
        client.type("Hello")
        try await client.says("connection: ready")
        try await expect(.exit(0), of: tool) { tool.send(signal) }
        client.send(SIGKILL)
        _ = await client.ending()
    }

    @Test(arguments: signals) func aCollectorEnds(by signal: Int32) async throws {
        let tool = try start("serve", "collector", "--port", "0", "--json")
        try await tool.says("listening")
        try await expect(.exit(0), of: tool) { tool.send(signal) }
    }

    @Test(arguments: signals) func aBusyCollectorEnds(by signal: Int32) async throws {
        let tool = try start("serve", "collector", "--port", "0", "--json")
        try await tool.says("listening")
        let line = try JSONSerialization.jsonObject(with: Data(tool.printed.utf8)) as? [String: Any]
        let port = try #require((line?["url"] as? String).flatMap { URL(string: $0)?.port })
        // A request whose body never arrives.
        let client = try await ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .connect(host: "127.0.0.1", port: port).get()
        let head =
            "POST /reports HTTP/1.1\r\nHost: 127.0.0.1:\(port)\r\nContent-Length: 100\r\nExpect: 100-continue\r\n\r\n{"
        try await client.writeAndFlush(ByteBuffer(string: head)).get()
        try await expect(.exit(0), of: tool) { tool.send(signal) }
        try? await client.close()
    }

    @Test(arguments: signals) func aDemoIsCutOff(by signal: Int32) async throws {
        let tool = try start("demo")
        try await tool.says("The chat server listens on")
        try await expect(.signal(signal), of: tool) { tool.send(signal) }
    }

    @Test(arguments: signals) func aSimulationIsCutOff(by signal: Int32) async throws {
        let tool = try start("simulate", "--seeds", "100000000")
        try await tool.says("simulating")
        try await expect(.signal(signal), of: tool) { tool.send(signal) }
    }

    @Test func closedOutputEndsCommand() async throws {
        try await serving { server in
            let tool = try start("chat", server, takesOutput: false)
            try await tool.says("connection: ready")
            try await expect(.exit(2), of: tool) { tool.closeOutput() }
        }
        let watch = try start(
            "probe", "127.0.0.1:9", "--watch", "--interval", "60", "--metrics-file", "/nowhere/metrics",
            takesOutput: false)
        try await watch.says("metrics")
        try await expect(.exit(2), of: watch) { watch.closeOutput() }
        let simulation = try start("simulate", "--seeds", "100000000", takesOutput: false)
        try await simulation.says("simulating")
        try await expect(.exit(2), of: simulation) { simulation.closeOutput() }
        let serverTool = try start("serve", "chat", "--in-memory", "--port", "0", takesOutput: false)
        try await serverTool.says("REST http")
        try await expect(.exit(2), of: serverTool) { serverTool.closeOutput() }
        let demo = try start("demo", "--keep", takesOutput: false)
        try await demo.says("until you press Ctrl-C")
        try await expect(.exit(2), of: demo) { demo.closeOutput() }
    }

    @Test func nextStartRemovesFoldersOfCrashedProcess() async throws {
        try await serving { server in
            let crashed = try start("chat", server)
            try await crashed.says("connection: ready")
            crashed.send(SIGKILL)
            #expect(await crashed.ending() == .signal(SIGKILL))
            let left = try FileManager.default.contentsOfDirectory(atPath: folder.path)
            #expect(left.count == 1)
            // A folder that another process still uses is kept, as is a folder that only looks like one of this tool.
            let other = try start("chat", server)
            try await other.says("connection: ready")
            let mine = try FileManager.default.contentsOfDirectory(atPath: folder.path)
            #expect(mine.count == 1 && mine != left)
            let foreign = folder.path + "/" + WorkFolder.prefix + "link"
            try FileManager.default.createSymbolicLink(atPath: foreign, withDestinationPath: "/")
            let third = try start("pin", "/nonexistent")
            #expect(await third.ending() == .exit(2))
            let after = try FileManager.default.contentsOfDirectory(atPath: folder.path)
            #expect(Set(after) == Set(mine + [WorkFolder.prefix + "link"]))
            try FileManager.default.removeItem(atPath: foreign)
            try await expect(.exit(0), of: other) { other.send(SIGTERM) }
        }
    }
}
