public import Logging
import Synchronization

/// A log handler that keeps what is logged, so that a test can ask what a log would have said.
///
/// Copies share one recording, which is bounded: the first lines are kept, later ones are counted in ``dropped``. May be used
/// from any thread.
public struct RecordingLogHandler: LogHandler {
    public var logLevel: Logger.Level
    public var metadata: Logger.Metadata = [:]
    public var metadataProvider: Logger.MetadataProvider?
    private let recording: LogRecording

    /// Makes a handler with an empty recording of at most `limit` lines.
    public init(level: Logger.Level = .trace, limit: Int = 10_000) {
        self.logLevel = level
        self.recording = LogRecording(limit: limit)
    }

    /// A logger that writes into this recording.
    public func logger(label: String = "test") -> Logger {
        Logger(label: label) { _ in self }
    }

    /// The lines so far, oldest first.
    public var entries: [RecordedLogEntry] { recording.entries }

    /// How many lines came after the recording was full.
    public var dropped: Int { recording.dropped }

    /// The messages at this level or above, oldest first.
    public func messages(atLeast level: Logger.Level = .trace) -> [String] {
        entries.filter { $0.level >= level }.map(\.message)
    }

    /// Forgets all lines.
    public func removeAll() {
        recording.removeAll()
    }

    public subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { metadata[key] }
        set { metadata[key] = newValue }
    }

    public func log(event: LogEvent) {
        var merged = metadata
        if let provided = metadataProvider?.get() { merged.merge(provided) { $1 } }
        if let own = event.metadata { merged.merge(own) { $1 } }
        recording.append(
            RecordedLogEntry(
                level: event.level, message: event.message.description, metadata: merged,
                error: event.error.map { String(describing: $0) }))
    }
}

/// The lines that all copies of one ``RecordingLogHandler`` have kept. May be used from any thread.
final class LogRecording: Sendable {
    private struct State: Sendable {
        var entries: [RecordedLogEntry] = []
        var dropped = 0
    }

    private let limit: Int
    private let state = Mutex(State())

    init(limit: Int) {
        self.limit = limit
    }

    var entries: [RecordedLogEntry] { state.withLock { $0.entries } }
    var dropped: Int { state.withLock { $0.dropped } }

    func append(_ entry: RecordedLogEntry) {
        state.withLock { state in
            if state.entries.count < limit { state.entries.append(entry) } else { state.dropped += 1 }
        }
    }

    func removeAll() {
        state.withLock { $0 = State() }
    }
}

/// One line that was logged.
public struct RecordedLogEntry: Sendable {
    public var level: Logger.Level
    public var message: String
    /// The logger's and the line's own metadata, the latter winning.
    public var metadata: Logger.Metadata
    /// The text of the error that was logged with it.
    public var error: String?

    /// Message, error and all metadata values as one text, to look for secrets in.
    public var text: String {
        ([message, error ?? ""] + metadata.map { "\($0.key)=\($0.value)" }.sorted()).joined(separator: " ")
    }
}
