import ChatCenterCore
import Synchronization

/// Tells those who wait for the fate of a message.
final class FateTable: Sendable {
    private let watchers = Mutex<[MessageID: AsyncStream<ChatMessageState>.Continuation]>([:])

    /// Begins to watch a message; for the one who sent it.
    func watch(_ id: MessageID) -> ChatMessageFate {
        // A message has a handful of states.
        let (stream, continuation) = AsyncStream.makeStream(
            of: ChatMessageState.self, bufferingPolicy: .bufferingNewest(16))
        continuation.onTermination = { [weak self] _ in
            self?.watchers.withLock { _ = $0.removeValue(forKey: id) }
        }
        watchers.withLock { $0[id] = continuation }
        return ChatMessageFate(stream)
    }

    /// The message has a new state.
    func tell(_ id: MessageID, _ state: ChatMessageState) {
        let watcher = watchers.withLock { state.isFinal ? $0.removeValue(forKey: id) : $0[id] }
        watcher?.yield(state)
        if state.isFinal { watcher?.finish() }
    }

    /// There is nothing to watch any more.
    func finish(_ id: MessageID) {
        watchers.withLock { $0.removeValue(forKey: id) }?.finish()
    }

    /// The chat is over.
    func finishAll() {
        let all = watchers.withLock { watchers in
            defer { watchers = [:] }
            return Array(watchers.values)
        }
        for watcher in all { watcher.finish() }
    }
}

extension ChatMessageState {
    /// Nothing follows unless the user asks for it.
    var isFinal: Bool {
        switch self {
        case .read, .failed: true
        case .queued, .uploading, .sending, .sent, .delivered: false
        }
    }
}
