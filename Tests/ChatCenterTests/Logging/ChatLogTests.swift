import Foundation
import Synchronization
import Testing

@testable import ChatCenter

@Suite struct ChatLogTests {
    let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    private final class Lines: Sendable {
        let all = Mutex<[String]>([])
        var value: [String] { all.withLock { $0 } }
    }

    private func log(_ config: ChatLoggerConfig, _ lines: Lines) -> ChatLog {
        ChatLog(config, defaultDirectory: folder.url.appendingPathComponent("Logs"), timestamp: { "T" }) { line in
            lines.all.withLock { $0.append(line) }
        }
    }

    @Test(
        "a line passes if one of its kinds is asked for",
        arguments: [
            (.off, []), (.all, ["i", "r", "w", "u", "e"]), (.rest, ["r"]),
            (.network, ["r", "w"]), ([.info, .error], ["i", "e"]),
        ] as [(ChatLogLevel, [String])])
    func levels(level: ChatLogLevel, expected: [String]) {
        let lines = Lines()
        let log = log(ChatLoggerConfig(logLevel: level), lines)
        log.write(.info, "i")
        log.write(.rest, "r")
        log.write(.webSocket, "w")
        log.write(.userInterface, "u")
        log.write(.error, "e")
        #expect(lines.value == expected)
    }

    @Test("with logging off nothing is written to disk")
    func offWritesNothing() throws {
        let log = log(ChatLoggerConfig(), Lines())
        log.write(.all, "line")
        #expect(try folder.contents().isEmpty)
    }

    @Test("lines of the initialiser wait for the delegate, at most a hundred of them")
    func keptLines() {
        let lines = Lines()
        let log = log(ChatLoggerConfig(logLevel: .error), lines)
        for number in 0..<150 { log.keep(ChatLogLine(.error, "kept \(number)")) }
        log.keep(ChatLogLine(.info, "not asked for"))
        #expect(lines.value.isEmpty)
        log.replayKeptLines()
        #expect(lines.value.count == 100)
        #expect(lines.value.first == "kept 0")
        log.replayKeptLines()
        #expect(lines.value.count == 100, "no line comes twice")
    }

    @Test("files roll at their size, and the oldest goes")
    func rolling() throws {
        var files = RollingLogFiles(directory: folder.url, fileByteCount: 100, fileCount: 3)
        for number in 0..<12 {
            let error = files.append("line \(number) " + String(repeating: "x", count: 40))
            #expect(error == nil)
        }
        let contents = try folder.contents()
        #expect(contents.map(\.path) == ["chat.1.log", "chat.2.log", "chat.log"])
        #expect(contents.allSatisfy { $0.bytes.count <= 100 })
        #expect(String(decoding: contents[2].bytes, as: UTF8.self).contains("line 11"))
        #expect(String(decoding: contents[1].bytes, as: UTF8.self).contains("line 7"))
    }

    @Test("a file of an earlier run is continued, and rolled when it is full")
    func continues() throws {
        var first = RollingLogFiles(directory: folder.url, fileByteCount: 60, fileCount: 2)
        _ = first.append(String(repeating: "a", count: 30))
        var second = RollingLogFiles(directory: folder.url, fileByteCount: 60, fileCount: 2)
        _ = second.append(String(repeating: "b", count: 20))
        _ = second.append(String(repeating: "c", count: 20))
        let texts = try folder.contents().map { String(decoding: $0.bytes, as: UTF8.self) }
        #expect(texts.count == 2)
        #expect(texts[0].contains("a") && texts[0].contains("b"))
        #expect(texts[1].hasPrefix("c"))
    }

    @Test("log files belong to their owner alone")
    func permissions() throws {
        let log = log(ChatLoggerConfig(logLevel: .all), Lines())
        log.write(.info, "line")
        let logs = folder.url.appendingPathComponent("Logs")
        let manager = FileManager.default
        let folderMode = try manager.attributesOfItem(atPath: logs.path)[.posixPermissions] as? Int
        let fileMode =
            try manager.attributesOfItem(atPath: logs.appendingPathComponent("chat.log").path)[.posixPermissions]
            as? Int
        #expect(folderMode == 0o700)
        #expect(fileMode == 0o600)
    }

    @Test("a folder that cannot be written does not stop the log")
    func unwritable() throws {
        let blocker = try folder.write("file", [1])
        var config = ChatLoggerConfig(logLevel: .all)
        config.directory = blocker.appendingPathComponent("Logs")
        let lines = Lines()
        let log = log(config, lines)
        log.write(.info, "one")
        log.write(.info, "two")
        #expect(lines.value == ["one", "two"])
    }

    @Test("log files that may hold secrets are erased on logout, others are kept")
    func eraseSecrets() throws {
        var config = ChatLoggerConfig(logLevel: .all)
        let kept = log(config, Lines())
        kept.write(.info, "line")
        kept.eraseSecrets()
        #expect(try folder.contents().count == 1)
        config.dangerouslyLogsSecrets = true
        let erased = log(config, Lines())
        erased.write(.info, "line")
        erased.eraseSecrets()
        #expect(try folder.contents().isEmpty)
    }
}
