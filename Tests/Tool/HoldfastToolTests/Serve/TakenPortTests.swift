import Foundation
import HoldfastTransportTestSupport
import NIOCore
import NIOPosix
import Testing

@testable import HoldfastTool

/// A server that cannot start leaves nothing on the disk.
@Suite("Tool: a port in use", .timeLimit(.minutes(1)))
struct TakenPortTests {
    @Test(arguments: ["chat", "collector"]) func createsNoDatabase(_ server: String) async throws {
        let folder = try TemporaryFolder()
        let listener = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .bind(host: "127.0.0.1", port: 0).get()
        let port = try #require(listener.localAddress?.port)
        await ToolOutcome.of("serve", server, "--port", "\(port)", "--database", folder.path + "/kept.sqlite")
            .expectUnusable("Another program listens on 127.0.0.1:\(port). Choose another port with --port N")
        try await listener.close()
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).isEmpty)
    }

    /// A client that waits for a server would otherwise be accepted, and then lose its connection.
    @Test func theCheckAcceptsNoConnection() async throws {
        let held = try HeldPort(for: .program)
        let place = ListeningPlace(host: "127.0.0.1", port: held.number)
        let accepted = try await withThrowingTaskGroup(of: Int.self) { group in
            for _ in 0..<4 {
                group.addTask {
                    var accepted = 0
                    for _ in 0..<200 {
                        let attempt = ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
                            .connect(host: "127.0.0.1", port: Int(held.number))
                        guard let channel = try? await attempt.get() else { continue }
                        accepted += 1
                        try? await channel.close()
                    }
                    return accepted
                }
            }
            for _ in 0..<1_000 {
                try place.check()
                await Task.yield()
            }
            return try await group.reduce(0, +)
        }
        #expect(accepted == 0)
        held.free()
    }

    /// The same usage error has the same exit code.
    @Test(arguments: ["chat", "collector"]) func otherMachinesAreServedOnRequest(_ server: String) async {
        let outcome = await ToolOutcome.of("serve", server, "--port", "0", "--host", "0.0.0.0")
        #expect(outcome.status == .usage)
        #expect(outcome.notes.contains("reachable from other machines"))
        #expect(outcome.notes.contains("--dangerously-"))
    }
}
