import Dispatch
import Foundation
import Logging
import Synchronization

/// The SDK's log: filters lines by level, writes them to rolling files and passes them to a sink (the delegate).
///
/// The SDK's initializer logs lines before there is a delegate. At most ``keptLineLimit`` of them are kept until the
/// sink asks for them.
final class ChatLog: Sendable {
    /// The maximum number of lines of the initializer that are kept for the delegate. Further ones are not kept.
    static let keptLineLimit = 100
    /// The maximum size of a line in bytes. A longer line is cut, and a mark says so.
    private static let limit = 4 * 1024
    /// The maximum size of a line in bytes if raw frames and bodies are logged. A longer line is cut, and a mark says
    /// so.
    private static let rawLimit = 32 * 1024

    private struct State {
        /// Lines that the sink has not received yet.
        var kept: [ChatLogLine] = []
        /// Lines that are not in the files yet.
        var unwritten: [ChatLogLine] = []
        var mask = SecretMask()
    }

    /// Whether credentials and message texts may appear in a line.
    let allowsSecrets: Bool
    private let level: ChatLogLevel
    private let state = Mutex(State())
    /// The folder of the log files; `nil` if the log level is off.
    private let folder: LogFolder?
    private let sink: @Sendable (String) -> Void
    /// The logger for lines that must be visible at any level.
    private let loudLogger: Logger
    private let timestamp: @Sendable () -> String

    /// - Parameters:
    ///   - config: The level and the files.
    ///   - sink: Called with each line that passes the level, in order. It must not block.
    init(
        _ config: ChatLoggerConfig, defaultDirectory: @autoclosure () -> URL,
        timestamp: @escaping @Sendable () -> String,
        sink: @escaping @Sendable (String) -> Void
    ) {
        self.level = config.logLevel
        self.allowsSecrets = config.dangerouslyLogsSecrets
        self.sink = sink
        self.timestamp = timestamp
        self.loudLogger = Logger(label: "holdfast.chatcenter")
        if config.logLevel == .off {
            self.folder = nil
        } else {
            self.folder = LogFolder.at(
                config.directory ?? defaultDirectory(), fileByteCount: config.fileByteCount,
                fileCount: config.fileCount)
        }
    }

    /// Returns whether a line of this level would be written.
    func passes(_ lineLevel: ChatLogLevel) -> Bool {
        !level.isDisjoint(with: lineLevel)
    }

    /// Writes a line if its level passes. The text is evaluated only in that case.
    func write(_ lineLevel: ChatLogLevel, _ text: @autoclosure () -> String) {
        guard passes(lineLevel) else { return }
        emit(ChatLogLine(lineLevel, text()))
    }

    /// Writes a complete line.
    func write(_ line: ChatLogLine) {
        if line.isLoud { loudLogger.error("\(line.text)") }
        guard passes(line.level) else { return }
        emit(line)
    }

    /// Keeps a line of the initializer: for the files until the first line is written, for the delegate until it is
    /// set.
    func keep(_ line: ChatLogLine) {
        if line.isLoud { loudLogger.error("\(line.text)") }
        guard passes(line.level) else { return }
        state.withLock { state in
            guard state.kept.count < Self.keptLineLimit else { return }
            state.kept.append(line)
            state.unwritten.append(line)
        }
    }

    /// Passes the kept lines to the sink. Called when the delegate is set.
    func replayKeptLines() {
        let kept = state.withLock { state in
            defer { state.kept = [] }
            return state.kept
        }
        for line in kept { sink(line.text) }
    }

    /// Deletes the log files if they may contain a user's texts. After a logout, no such text may remain.
    func eraseSecrets() {
        guard allowsSecrets else { return }
        folder?.erase()
    }

    /// Adds values that must not appear in a line, unless secrets are allowed.
    ///
    /// - Parameter isCredential: Whether the values stay hidden regardless of how many others are added.
    func hide(_ secrets: [String?], isCredential: Bool = false) {
        guard !allowsSecrets, level != .off else { return }
        state.withLock { $0.mask.add(secrets, isCredential: isCredential) }
    }

    /// Blocks until all lines are in the files.
    func flush() {
        afterWriting { _ in }
    }

    /// Calls a closure with the files after all lines are written; returns `nil` if the log level is off. Blocks.
    @discardableResult
    func afterWriting<Value: Sendable>(_ body: @escaping @Sendable (inout RollingLogFiles) -> Value) -> Value? {
        folder?.afterWriting(body)
    }

    /// Writes the lines of the initializer to the files, unless a later line already did so.
    func writeKeptLines() {
        let lines = state.withLock { state in
            defer { state.unwritten = [] }
            return state.unwritten
        }
        append(lines)
    }

    private func emit(_ line: ChatLogLine) {
        var line = line
        let lines = state.withLock { state in
            defer { state.unwritten = [] }
            line.text = Self.oneLine(state.mask.masked(line.text), limit: allowsSecrets ? Self.rawLimit : Self.limit)
            return state.unwritten + [line]
        }
        append(lines)
        SystemLog.write(line)
        sink(line.text)
    }

    /// Returns the text as one line of about `limit` bytes at most. A server's text may contain line breaks, which
    /// could forge lines, and control characters for terminals.
    private static func oneLine(_ text: String, limit: Int) -> String {
        let isPlain = text.utf8.count <= limit && text.utf8.allSatisfy { (0x20..<0x7F).contains($0) }
        guard !isPlain else { return text }
        var line = ""
        for scalar in text.unicodeScalars {
            guard line.utf8.count < limit else { return line + RollingLogFiles.cutMark }
            switch scalar.properties.generalCategory {
            case .control, .format, .lineSeparator, .paragraphSeparator:
                line += scalar == "\n" ? "\\n" : "\\u{\(String(scalar.value, radix: 16))}"
            default: line.unicodeScalars.append(scalar)
            }
        }
        return line
    }

    private func append(_ lines: [ChatLogLine]) {
        guard let folder, !lines.isEmpty else { return }
        let time = timestamp()
        folder.add(lines.map { "\(time) [\($0.level.names)] \($0.text)" })
    }
}

/// One line of the SDK's log.
package struct ChatLogLine: Hashable, Sendable {
    /// The categories of the line. It is written if the configuration enables one of them.
    package var level: ChatLogLevel
    /// The text, without secrets unless the configuration allows them.
    package var text: String
    /// Whether the line is shown at any level, because verification is disabled. It is also sent to swift-log at
    /// `error`.
    package var isLoud: Bool

    package init(_ level: ChatLogLevel, _ text: String, isLoud: Bool = false) {
        self.level = level
        self.text = text
        self.isLoud = isLoud
    }
}
