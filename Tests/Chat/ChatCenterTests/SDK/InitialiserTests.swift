import ChatCenterCore
import Foundation
import Testing

@testable import ChatCenter

/// The initializer of the SDK performs no I/O.
@Suite struct InitialiserTests {
    let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    private func makeSDK(_ noted: Noted<String>) -> ChatCenterUISDK {
        var config = ChatConfig(transportConfig: ChatTransportConfig(cloudHost: "chat.example"))
        config.storageDirectory = folder.url.appendingPathComponent("Chat")
        var logger = ChatLoggerConfig(logLevel: .all)
        logger.directory = folder.url.appendingPathComponent("Logs")
        var environment = ChatEnvironment()
        environment.makeNetwork = { sink in
            noted.append("network")
            return ScriptedNetwork(sink: sink)
        }
        environment.makePathMonitor = {
            noted.append("path monitor")
            return ManualPathMonitor()
        }
        return ChatCenterUISDK(
            providerUid: "provider", appMarker: "tests", chatConfig: config, loggerConfig: logger,
            environment: environment)
    }

    /// Leaves the data of an earlier run: a store with a message, and a log file.
    private func leaveTraces() throws {
        let user = UserFolder(
            root: folder.url.appendingPathComponent("Chat"), providerUID: "provider", appMarker: "tests",
            clientID: "client-1")
        let store = SQLiteChatStore(folder: user, errors: ErrorTable())
        let changes = [StoreChange.saveMessage(Sample.received("m1", at: 1, text: "Hello"))]
        try store.commit(StoreTransaction(user: "client-1", changes: changes))
        let logs = folder.url.appendingPathComponent("Logs")
        try FileManager.default.createDirectory(at: logs, withIntermediateDirectories: true)
    }

    @Test("the initializer creates no folder, file or network, and observes no path")
    func nothingIsMade() throws {
        let noted = Noted<String>()
        let sdk = makeSDK(noted)
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.url.path).isEmpty)
        #expect(noted.values.isEmpty)
        sdk.authorize(user: ChatUser(identifier: "client-1"))
        #expect(try !FileManager.default.contentsOfDirectory(atPath: folder.url.path).isEmpty)
    }

    #if os(Linux)
    @Test("the initializer reads no data of an earlier run, and authorizing does")
    func nothingIsRead() throws {
        try leaveTraces()
        let watch = try FileWatch(folder.url)
        let sdk = makeSDK(Noted())
        #expect(!watch.hasHeard())
        sdk.authorize(user: ChatUser(identifier: "client-1"))
        #expect(watch.hasHeard())
    }

    /// Returns the kernel's count of this thread's reads from files and sockets.
    private func readCount() throws -> Int {
        let counters = try String(contentsOfFile: "/proc/thread-self/io", encoding: .utf8)
        let line = try #require(counters.split(separator: "\n").first { $0.hasPrefix("syscr") })
        return try #require(line.split(separator: " ").last.flatMap { Int($0) })
    }

    @Test(
        "the initializer reads nothing to find the default folders",
        .enabled(if: ProcessInfo.processInfo.environment["HOME"]?.hasPrefix("/") == true))
    func standardFolders() throws {
        func make() -> ChatCenterUISDK {
            ChatCenterUISDK(
                providerUid: "provider",
                chatConfig: ChatConfig(transportConfig: ChatTransportConfig(cloudHost: "chat.example")),
                loggerConfig: ChatLoggerConfig(logLevel: .all))
        }
        let first = try readCount()
        let before = try readCount()
        let sdk = make()
        let after = try readCount()
        // Reading the counter costs the same number of reads each time.
        #expect(after - before == before - first)
        withExtendedLifetime(sdk) {}
    }
    #endif
}
