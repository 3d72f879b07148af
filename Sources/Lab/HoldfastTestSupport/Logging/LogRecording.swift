import Synchronization

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
