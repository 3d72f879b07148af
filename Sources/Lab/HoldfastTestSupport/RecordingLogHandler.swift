public import Logging
import Synchronization

/// A log handler that stores log messages, so that a test can check them.
///
/// Copies share one recording with a limit: the first messages are stored, later ones are only counted in ``dropped``.
/// It is safe to use from any thread.
public struct RecordingLogHandler: LogHandler {
    /// The minimum level of stored messages.
    public var logLevel: Logger.Level
    /// The handler's metadata.
    public var metadata: Logger.Metadata = [:]
    /// The handler's metadata provider.
    public var metadataProvider: Logger.MetadataProvider?
    private let recording: LogRecording

    /// Creates a handler with an empty recording of at most `limit` messages.
    public init(level: Logger.Level = .trace, limit: Int = 10_000) {
        self.logLevel = level
        self.recording = LogRecording(limit: limit)
    }

    /// Returns a logger that writes to this recording.
    public func logger(label: String = "test") -> Logger {
        Logger(label: label) { _ in self }
    }

    /// The stored messages, oldest first.
    public var entries: [RecordedLogEntry] { recording.entries }

    /// The number of messages that arrived after the recording was full.
    public var dropped: Int { recording.dropped }

    /// Returns the texts of the messages at this level or above, oldest first.
    public func messages(atLeast level: Logger.Level = .trace) -> [String] {
        entries.filter { $0.level >= level }.map(\.message)
    }

    /// Removes all messages.
    public func removeAll() {
        recording.removeAll()
    }

    /// The metadata value for a key.
    public subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { metadata[key] }
        set { metadata[key] = newValue }
    }

    /// Stores a log event.
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

/// The messages that all copies of one ``RecordingLogHandler`` share. It is safe to use from any thread.
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

/// One log message.
public struct RecordedLogEntry: Sendable {
    /// The level.
    public var level: Logger.Level
    /// The text.
    public var message: String
    /// The metadata of the logger and of the message. The message's metadata takes precedence.
    public var metadata: Logger.Metadata
    /// The text of the logged error.
    public var error: String?

    /// Message, error and all metadata as one text, to search for secrets.
    public var text: String {
        ([message, error ?? ""] + metadata.map { "\($0.key)=\($0.value)" }.sorted()).joined(separator: " ")
    }
}
