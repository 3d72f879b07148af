import ArgumentParser
import HoldfastTrust
import Logging

/// The format of a server's log on standard error.
enum LogFormat: String, Hashable, Sendable, CaseIterable, ExpressibleByArgument {
    /// Sentences for people.
    case text
    /// One JSON object per line.
    case json
}

/// The log of a server: one line for each event. docs/observability.md lists the events and their keys.
///
/// No line contains a secret: lines of a service are stored for a long time, and many people can read them.
struct ServerLog: Sendable {
    /// The importance of a line.
    enum Level: String, Hashable, Sendable {
        case info
        case warning
        case error
    }

    /// What happened.
    enum Event: String, Hashable, Sendable, CaseIterable {
        case listening
        case stored
        case repeated
        case refused
        case storageFailed
        case rolloutStopped
        case haltPublished
        case haltFailed
        case dropped
        /// A note that warns.
        case warning
        /// Any other note of the command.
        case note
        /// A line of a library.
        case log
        /// The server ends with an error.
        case failed
        /// The server has ended as requested.
        case stopped
    }

    typealias Fields = [(String, JSONNode.Value?)]

    let format: LogFormat
    /// The command's name, such as `collector`.
    let server: String
    private let notes: @Sendable (String) -> Void
    private let clock: TrustClock

    /// Creates a log that writes to the console's notes.
    init(_ format: LogFormat, server: String, console: Console, clock: TrustClock = .system) {
        self.format = format
        self.server = server
        self.clock = clock
        notes = console.notes
    }

    /// Writes an event as a JSON object; does nothing in the format for people.
    func write(_ event: Event, level: Level = .info, _ fields: Fields = []) {
        guard format == .json else { return }
        let head: Fields = [
            ("time", .text(clock.now())), ("level", .string(level.rawValue)), ("server", .string(server)),
            ("event", .string(event.rawValue)),
        ]
        notes(JSONLine.text(head + fields) + "\n")
    }

    /// Returns the console for the rest of the command: in the JSON format, its notes become events.
    func console(_ console: Console) -> Console {
        guard format == .json else { return console }
        var result = Console(
            output: console.output,
            notes: { text in
                for line in text.split(whereSeparator: \.isNewline) { self.note(line) }
            }, input: console.input)
        result.beginLongRun = console.beginLongRun
        return result
    }

    private func note(_ line: Substring) {
        let mark = "WARNING: "
        let isWarning = line.hasPrefix(mark)
        write(
            isWarning ? .warning : .note, level: isWarning ? .warning : .info,
            [("message", .string(String(isWarning ? line.dropFirst(mark.count) : line)))])
    }

    /// Runs a server, and writes the event `failed` if it throws. The error that is rethrown then says nothing, because
    /// the tool would write it as text.
    func reportingFailure(_ body: () async throws -> Void) async throws {
        do {
            try await body()
        } catch  where format == .json {
            let error = ToolError(describing: error)
            write(.failed, level: .error, [("reason", .string(error.sentence))])
            throw ToolError("", status: error.status)
        }
    }

    /// The logger for the libraries; `nil` in the format for people, which shows only the server's own events.
    var logger: Logger? {
        guard format == .json else { return nil }
        return Logger(label: "holdfast.\(server)") { _ in LibraryLogHandler(log: self) }
    }
}

/// Writes what the libraries of a server log as events.
private struct LibraryLogHandler: LogHandler {
    let log: ServerLog
    var logLevel = Logger.Level.warning
    var metadata: Logger.Metadata = [:]

    subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { metadata[key] }
        set { metadata[key] = newValue }
    }

    func log(event: LogEvent) {
        let metadata = metadata.merging(event.metadata ?? [:]) { _, new in new }
        let fields: ServerLog.Fields = metadata.sorted { $0.key < $1.key }.map { ($0.key, .text($0.value)) }
        log.write(
            .log, level: event.level >= .error ? .error : .warning,
            [("message", .text(event.message)), ("metadata", .fields(fields))])
    }
}

/// A JSON object on one line.
enum JSONLine {
    /// Returns the object.
    static func text(_ fields: [(String, JSONNode.Value?)]) -> String {
        JSONWriter.line(.fields(fields))
    }
}
