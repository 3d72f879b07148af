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
        "a line passes if one of its categories is enabled",
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

    @Test("at most a hundred lines of the initializer wait for the delegate")
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
        #expect(lines.value.count == 100, "no line is delivered twice")
    }

    @Test("files rotate at their size limit, and the oldest is deleted")
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

    @Test("a file of an earlier run is continued, and rotated when it is full")
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

    @Test("only the owner can access the log files")
    func permissions() throws {
        let log = log(ChatLoggerConfig(logLevel: .all), Lines())
        log.write(.info, "line")
        log.flush()
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

    @Test("log files that may contain secrets are erased on logout, others are kept")
    func eraseSecrets() throws {
        var config = ChatLoggerConfig(logLevel: .all)
        let kept = log(config, Lines())
        kept.write(.info, "line")
        kept.eraseSecrets()
        kept.flush()
        #expect(try folder.contents().count == 1)
        config.dangerouslyLogsSecrets = true
        let erased = log(config, Lines())
        erased.write(.info, "line")
        erased.flush()
        #expect(try folder.contents().count == 1)
        erased.write(.info, "one that waits")
        erased.eraseSecrets()
        erased.flush()
        #expect(try folder.contents().isEmpty)
    }

    // MARK: Limits

    @Test("no file exceeds the size limit for any length of a line")
    func longLine() throws {
        var files = RollingLogFiles(directory: folder.url, fileByteCount: 100, fileCount: 2)
        for count in [99, 100, 101, 5_000, 1] {
            let error = files.append(String(repeating: "é", count: count))
            #expect(error == nil)
            #expect(try folder.contents().allSatisfy { $0.bytes.count <= 100 })
        }
        #expect(try folder.contents().count == 2)
        var tiny = RollingLogFiles(
            directory: folder.url.appendingPathComponent("tiny"), fileByteCount: 1, fileCount: 1)
        _ = tiny.append("line")
    }

    @Test("a restart with smaller limits deletes excess files")
    func smallerLimits() throws {
        var first = RollingLogFiles(directory: folder.url, fileByteCount: 10, fileCount: 5)
        for number in 0..<8 { _ = first.append("line \(number)") }
        #expect(try folder.contents().count == 5)
        let other = try folder.write("chat.report.log", [1])
        var second = RollingLogFiles(directory: folder.url, fileByteCount: 10, fileCount: 2)
        _ = second.append("after")
        #expect(try folder.contents().map(\.path) == ["chat.1.log", "chat.log", "chat.report.log"])
        #expect(FileManager.default.fileExists(atPath: other.path), "a file of another program is kept")
    }

    @Test("the documented limits are ten files of two megabytes")
    func documentedLimits() throws {
        let config = ChatLoggerConfig(logLevel: .all)
        var files = RollingLogFiles(
            directory: folder.url, fileByteCount: config.fileByteCount, fileCount: config.fileCount)
        let line = String(repeating: "x", count: 99_999)
        for _ in 0..<260 { _ = files.append(line) }
        let contents = try folder.contents()
        #expect(contents.count == 10)
        #expect(contents.allSatisfy { $0.bytes.count <= 2 * 1_048_576 })
        #expect(contents.filter { $0.path != "chat.log" }.allSatisfy { $0.bytes.count == 20 * 100_000 })
    }

    @Test("a clock that goes back changes only the times")
    func clockGoesBack() throws {
        let times = Mutex(["2030", "1970", "2040"])
        let log = ChatLog(
            ChatLoggerConfig(logLevel: .all), defaultDirectory: folder.url.appendingPathComponent("Logs"),
            timestamp: { times.withLock { $0.removeFirst() } }, sink: { _ in })
        for line in ["a", "b", "c"] { log.write(.info, line) }
        log.flush()
        let text = String(decoding: try #require(try folder.contents().first).bytes, as: UTF8.self)
        #expect(text == "2030 [info] a\n1970 [info] b\n2040 [info] c\n")
    }

    @Test("two logs in one folder share its files and the limits of the later log")
    func sharedFolder() throws {
        let one = log(ChatLoggerConfig(logLevel: .all), Lines())
        one.write(.info, "from one")
        let two = log(ChatLoggerConfig(logLevel: .all, logFilesCount: 3), Lines())
        two.write(.info, "from two")
        one.write(.info, "again")
        one.flush()
        let contents = try folder.contents()
        #expect(contents.count == 1)
        let text = String(decoding: try #require(contents.first).bytes, as: UTF8.self)
        #expect(
            text.split(separator: "\n").map { $0.split(separator: " ").dropFirst(2).joined(separator: " ") }
                == ["from one", "from two", "again"])
    }

    @Test("logging never waits for the disk, and excess lines are dropped, counted and reported")
    func slowDisk() throws {
        let executor = QueueExecutor("slow")
        let logs = LogFolder(
            RollingLogFiles(directory: folder.url, fileByteCount: 64 * 1024 * 1024, fileCount: 1), executor: executor)
        executor.queue.suspend()
        let line = String(repeating: "x", count: 1024)
        for _ in 0..<5000 { logs.add([line]) }
        executor.queue.resume()
        logs.afterWriting { _ in }
        let text = String(decoding: try #require(try folder.contents().first).bytes, as: UTF8.self)
        let lines = text.split(separator: "\n")
        #expect(lines.count == 4096 + 1)
        #expect(lines.last == "904 lines were dropped: the disk was too slow for them.")
    }

    // MARK: Secrets

    @Test("a secret is removed from lines, in files and for the sink")
    func masked() throws {
        let lines = Lines()
        let log = log(ChatLoggerConfig(logLevel: .all), lines)
        log.hide(["s3cr3t-token", nil, "ab", "s3cr3t-token-longer"])
        log.write(.error, "server said: no such token s3cr3t-token-longer, s3cr3t-token ab")
        #expect(lines.value == ["server said: no such token ‹redacted›, ‹redacted› ab"])
        log.flush()
        #expect(try folder.contents().count == 1)
        #expect(try folder.contents().allSatisfy { $0.bytes.range(of: Data("s3cr3t".utf8)) == nil })
        var config = ChatLoggerConfig(logLevel: .all)
        config.dangerouslyLogsSecrets = true
        let raw = Lines()
        let loud = self.log(config, raw)
        loud.hide(["s3cr3t-token"])
        loud.write(.error, "s3cr3t-token")
        #expect(raw.value == ["s3cr3t-token"])
    }

    @Test("a server's text cannot forge lines, control a terminal or fill a file")
    func foreignText() throws {
        let lines = Lines()
        let log = log(ChatLoggerConfig(logLevel: .all), lines)
        log.write(.error, "a\n2030 [error] SSL\r\u{1b}[2J\u{2028}\u{202e}b é")
        log.write(.error, String(repeating: "x", count: 100_000))
        #expect(lines.value.first == #"a\n2030 [error] SSL\u{d}\u{1b}[2J\u{2028}\u{202e}b é"#)
        #expect(lines.value.last?.count ?? 0 < 5000)
        log.flush()
        let text = String(decoding: try #require(try folder.contents().first).bytes, as: UTF8.self)
        #expect(text.split(separator: "\n").count == 2)
    }

    @Test("other secrets never displace the credentials, which are also hidden in other forms")
    func credentials() {
        let lines = Lines()
        let log = log(ChatLoggerConfig(logLevel: .all), lines)
        log.hide(["tok en/1"], isCredential: true)
        for number in 0..<300 { log.hide(["value \(number)"]) }
        log.write(.error, #"tok en/1 tok%20en%2F1 tok%20en/1 tok en\/1 value 299 value 0"#)
        #expect(lines.value == ["‹redacted› ‹redacted› ‹redacted› ‹redacted› ‹redacted› value 0"])
    }

    // MARK: Export

    @Test("the export is one file with every line, oldest first")
    func export() throws {
        var config = ChatLoggerConfig(logLevel: .all, logFileSize: 1, logFilesCount: 3)
        config.directory = folder.url.appendingPathComponent("Logs")
        let log = log(config, Lines())
        log.keep(ChatLogLine(.error, "of the initialiser"))
        let filler = String(repeating: "x", count: 4000)
        for number in 0..<500 { log.write(.info, "\(number) \(filler)") }
        let file = folder.url.appendingPathComponent("out/export.log")
        try log.export(to: file)
        let text = String(decoding: try Data(contentsOf: file), as: UTF8.self)
        let words = text.split(separator: "\n").map { $0.split(separator: " ")[2] }
        #expect(words == ["of"] + (0..<500).map { "\($0)" })
        let mode = try FileManager.default.attributesOfItem(atPath: file.path)[.posixPermissions] as? Int
        #expect(mode == 0o600)
        // The second export replaces the file and contains the new line.
        log.write(.info, "later")
        try log.export(to: file)
        #expect(String(decoding: try Data(contentsOf: file), as: UTF8.self).hasSuffix("later\n"))
    }

    @Test("an export replaces no folder and no log file")
    func exportDestroysNothing() throws {
        let log = log(ChatLoggerConfig(logLevel: .all), Lines())
        log.write(.info, "line")
        let documents = folder.url.appendingPathComponent("Documents")
        try FileManager.default.createDirectory(at: documents, withIntermediateDirectories: true)
        _ = try folder.write("Documents/letter", [1])
        let logs = folder.url.appendingPathComponent("Logs")
        let linked = folder.url.appendingPathComponent("linked")
        try FileManager.default.createSymbolicLink(at: linked, withDestinationURL: logs)
        log.flush()
        let before = try folder.contents().map(\.path)
        for place in [
            documents, logs, logs.appendingPathComponent("chat.log"), logs.appendingPathComponent("chat.7.log"),
            documents.appendingPathComponent("../Logs/chat.log"), linked.appendingPathComponent("chat.log"),
        ] {
            let error = #expect(throws: ChatLogExportError.self) { try log.export(to: place) }
            #expect(error?.code == .unusableDestination, "\(place)")
        }
        #expect(try folder.contents().map(\.path) == before)
        try log.export(to: logs.appendingPathComponent("report.log"))
    }

    @Test("a failed export reports the reason")
    func exportFails() throws {
        let file = folder.url.appendingPathComponent("export.log")
        func code(_ log: ChatLog, to file: URL) -> ChatLogExportError.Code? {
            do throws(ChatLogExportError) {
                try log.export(to: file)
                return nil
            } catch {
                return error.code
            }
        }
        #expect(code(log(ChatLoggerConfig(), Lines()), to: file) == .loggingIsOff)
        let log = log(ChatLoggerConfig(logLevel: .all), Lines())
        #expect(code(log, to: file) == .nothingLogged)
        log.write(.info, "line")
        let blocker = try folder.write("blocker", [1])
        #expect(code(log, to: blocker.appendingPathComponent("export.log")) == .files)
        // The existing items are not earlier exports, so they are kept.
        #expect(code(log, to: folder.url) == .unusableDestination)
        let logFile = folder.url.appendingPathComponent("Logs/chat.log")
        #expect(code(log, to: logFile) == .unusableDestination)
        #expect(try !Data(contentsOf: logFile).isEmpty)
        #expect(try Data(contentsOf: blocker) == Data([1]))
    }
}
