import ChatCenterCore

/// Reports the states of messages to their watchers. A message can have several watchers.
final class DeliveryWaiters: Sendable {
    private struct Watcher: Sendable {
        let number: UInt64
        let continuation: AsyncStream<ChatMessageState>.Continuation
    }

    private struct State {
        var lastNumber: UInt64 = 0
        var watchers: [MessageID: [Watcher]] = [:]
        var isOver = false
    }

    private let state = OrderedMutex(.fates, State())

    /// The messages that are watched.
    var ids: [MessageID] { state.withLock { Array($0.watchers.keys) } }

    /// Starts to watch a message.
    ///
    /// - Parameter current: The current state, if any. It is reported first.
    func watch(_ id: MessageID, from current: ChatMessageState? = nil) -> ChatMessageFate {
        // A message has only a few states.
        let (stream, continuation) = AsyncStream.makeStream(
            of: ChatMessageState.self, bufferingPolicy: .bufferingNewest(16))
        if let current { continuation.yield(current) }
        let number = state.withLock { state -> UInt64? in
            guard !state.isOver, current?.isFinal != true else { return nil }
            state.lastNumber += 1
            state.watchers[id, default: []].append(Watcher(number: state.lastNumber, continuation: continuation))
            return state.lastNumber
        }
        if let number {
            continuation.onTermination = { [weak self] _ in self?.remove(number, of: id) }
        } else {
            continuation.finish()
        }
        return ChatMessageFate(stream)
    }

    /// Reports a new state of a message.
    func tell(_ id: MessageID, _ new: ChatMessageState) {
        let watchers = state.withLock { state in
            new.isFinal ? state.watchers.removeValue(forKey: id) : state.watchers[id]
        }
        for watcher in watchers ?? [] {
            watcher.continuation.yield(new)
            if new.isFinal { watcher.continuation.finish() }
        }
    }

    /// Ends the watching of these messages.
    func finish(_ ids: [MessageID]) {
        let watchers = state.withLock { state in ids.flatMap { state.watchers.removeValue(forKey: $0) ?? [] } }
        for watcher in watchers { watcher.continuation.finish() }
    }

    /// Ends all watching, because the chat has ended.
    func finishAll() {
        let watchers = state.withLock { state in
            state.isOver = true
            defer { state.watchers = [:] }
            return state.watchers.values.flatMap { $0 }
        }
        for watcher in watchers { watcher.continuation.finish() }
    }

    private func remove(_ number: UInt64, of id: MessageID) {
        state.withLock { state in
            state.watchers[id]?.removeAll { $0.number == number }
            if state.watchers[id]?.isEmpty == true { state.watchers[id] = nil }
        }
    }
}

extension ChatMessageState {
    /// Whether no further state follows unless the user requests it.
    var isFinal: Bool {
        switch self {
        case .read, .failed: true
        case .queued, .uploading, .sending, .sent, .delivered: false
        }
    }
}
