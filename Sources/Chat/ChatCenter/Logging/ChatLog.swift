import Dispatch
import Foundation
import Logging
import Synchronization

/// The SDK's log: filtered by level, written to rolling files, handed to a sink (the delegate).
///
/// What the initialiser of the SDK has to say comes before there is a delegate: such lines are kept, at most
/// ``keptLineLimit``, and handed over when the sink asks for them.
final class ChatLog: Sendable {
    /// The most lines of the initialiser that are kept for the delegate.
    static let keptLineLimit = 100
    /// The most bytes of a line.
    private static let limit = 4 * 1024
    /// The same where raw frames and bodies are logged.
    private static let rawLimit = 32 * 1024

    private struct State {
        /// Not told to the sink yet.
        var kept: [ChatLogLine] = []
        /// Not in the files yet.
        var unwritten: [ChatLogLine] = []
        var mask = SecretMask()
    }

    /// Whether credentials and message texts may appear in a line.
    let allowsSecrets: Bool
    private let level: ChatLogLevel
    private let state = Mutex(State())
    /// Where lines are written; `nil` while logging is off.
    private let folder: LogFolder?
    private let sink: @Sendable (String) -> Void
    /// Where a line goes that must be seen whatever the level.
    private let loudLogger: Logger
    private let timestamp: @Sendable () -> String

    /// - Parameters:
    ///   - config: What is logged, and into which files.
    ///   - sink: Called with each line that passes the level, in order of the calls; it must not block.
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

    /// Whether a line of this level would be written.
    func passes(_ lineLevel: ChatLogLevel) -> Bool {
        !level.isDisjoint(with: lineLevel)
    }

    /// Writes a line, if its level passes. The text is made only then.
    func write(_ lineLevel: ChatLogLevel, _ text: @autoclosure () -> String) {
        guard passes(lineLevel) else { return }
        emit(ChatLogLine(lineLevel, text()))
    }

    /// Writes a line that was made already.
    func write(_ line: ChatLogLine) {
        if line.isLoud { loudLogger.error("\(line.text)") }
        guard passes(line.level) else { return }
        emit(line)
    }

    /// Keeps a line of the initialiser: for the files until the first line is written, for the delegate until it is set.
    func keep(_ line: ChatLogLine) {
        if line.isLoud { loudLogger.error("\(line.text)") }
        guard passes(line.level) else { return }
        state.withLock { state in
            guard state.kept.count < Self.keptLineLimit else { return }
            state.kept.append(line)
            state.unwritten.append(line)
        }
    }

    /// Hands the kept lines to the sink. The delegate was set.
    func replayKeptLines() {
        let kept = state.withLock { state in
            defer { state.kept = [] }
            return state.kept
        }
        for line in kept { sink(line.text) }
    }

    /// Deletes the log files, where they may hold what a user said: after a logout no byte of that may be left.
    func eraseSecrets() {
        guard allowsSecrets else { return }
        folder?.erase()
    }

    /// What must not be in a line, unless secrets are allowed.
    ///
    /// - Parameter isCredential: Whether they stay hidden however many others come.
    func hide(_ secrets: [String?], isCredential: Bool = false) {
        guard !allowsSecrets, level != .off else { return }
        state.withLock { $0.mask.add(secrets, isCredential: isCredential) }
    }

    /// Waits until all lines are in the files. Blocks.
    func flush() {
        afterWriting { _ in }
    }

    /// Does something with the files once all lines are in them; `nil` while logging is off. Blocks.
    @discardableResult
    func afterWriting<Value: Sendable>(_ body: @escaping @Sendable (inout RollingLogFiles) -> Value) -> Value? {
        folder?.afterWriting(body)
    }

    /// Writes what the initialiser had to say into the files, if no line did so yet.
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

    /// The text as one line of about so many bytes at most. What comes from a server may hold line breaks, which would
    /// forge lines, and characters that steer a terminal.
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
    /// The kinds that the line belongs to; it is written if the configuration names one of them.
    package var level: ChatLogLevel
    /// The text, free of secrets unless the configuration allows them.
    package var text: String
    /// No level may hide the line: verification is switched off. It goes to swift-log at `error`, too.
    package var isLoud: Bool

    package init(_ level: ChatLogLevel, _ text: String, isLoud: Bool = false) {
        self.level = level
        self.text = text
        self.isLoud = isLoud
    }
}
