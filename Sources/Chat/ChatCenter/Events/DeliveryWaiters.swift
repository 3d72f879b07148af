import ChatCenterCore

/// Tells those who wait for the fate of a message. Several may wait for one.
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

    /// The messages that somebody waits for.
    var ids: [MessageID] { state.withLock { Array($0.watchers.keys) } }

    /// Begins to watch a message.
    ///
    /// - Parameter current: Its state, if it has one already: the first that is told.
    func watch(_ id: MessageID, from current: ChatMessageState? = nil) -> ChatMessageFate {
        // A message has a handful of states.
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

    /// The message has a new state.
    func tell(_ id: MessageID, _ new: ChatMessageState) {
        let watchers = state.withLock { state in
            new.isFinal ? state.watchers.removeValue(forKey: id) : state.watchers[id]
        }
        for watcher in watchers ?? [] {
            watcher.continuation.yield(new)
            if new.isFinal { watcher.continuation.finish() }
        }
    }

    /// There is nothing to watch any more.
    func finish(_ ids: [MessageID]) {
        let watchers = state.withLock { state in ids.flatMap { state.watchers.removeValue(forKey: $0) ?? [] } }
        for watcher in watchers { watcher.continuation.finish() }
    }

    /// The chat is over.
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
    /// Nothing follows unless the user asks for it.
    var isFinal: Bool {
        switch self {
        case .read, .failed: true
        case .queued, .uploading, .sending, .sent, .delivered: false
        }
    }
}
