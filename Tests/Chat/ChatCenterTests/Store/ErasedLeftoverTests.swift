import ChatCenterCore
import Foundation
import Testing

@testable import ChatCenter

/// Data of logged-out users that a crash left behind.
@Suite struct ErasedLeftoverTests {
    let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    private var root: URL { folder.url.appendingPathComponent("Chat") }

    private func leave(_ name: String = ".gone-\(UUID().uuidString)", files: Int = 3) throws -> URL {
        let gone = root.appendingPathComponent(name)
        try FileManager.default.createDirectory(
            at: gone.appendingPathComponent("files"), withIntermediateDirectories: true)
        for number in 0..<files { try Data("secret".utf8).write(to: gone.appendingPathComponent("files/\(number)")) }
        return gone
    }

    @Test("it is deleted after the next start, and the initializer itself deletes nothing")
    func nextStart() throws {
        let gone = try leave()
        let kept = try leave("0123456789abcdef0123456789abcdef")
        let work = Noted<@Sendable () -> Void>()
        var config = ChatConfig(transportConfig: ChatTransportConfig(cloudHost: "chat.example"))
        config.storageDirectory = root
        var environment = ChatEnvironment()
        environment.afterStart = { work.append($0) }
        let sdk = ChatCenterUISDK(providerUid: "provider", chatConfig: config, environment: environment)
        #expect(FileManager.default.fileExists(atPath: gone.path))
        #expect(work.values.count == 1)
        for work in work.values { work() }
        #expect(!FileManager.default.fileExists(atPath: gone.path))
        #expect(FileManager.default.fileExists(atPath: kept.path), "a user's folder is kept")
        #expect(!sdk.isAuthorized)
    }

    @Test("concurrent deletions of the same folder succeed")
    func atOnce() async throws {
        let left = try (0..<4).map { _ in try leave(files: 200) }
        let root = root
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<4 { group.addTask { try UserFolder.sweepErased(in: root) } }
            try await group.waitForAll()
        }
        for gone in left { #expect(!FileManager.default.fileExists(atPath: gone.path)) }
    }
}
