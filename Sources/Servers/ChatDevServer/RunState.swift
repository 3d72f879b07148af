import Synchronization

/// Where a server is between its making and its end, and who waits for the next step.
final class RunState: Sendable {
    private struct State {
        enum Phase {
            case idle
            case starting
            case listening(port: Int)
            case ended(ChatDevServerError)
        }

        var phase = Phase.idle
        var isStopRequested = false
        var starters: [CheckedContinuation<Result<Int, ChatDevServerError>, Never>] = []
        var stoppers: [CheckedContinuation<Void, Never>] = []
    }

    private let state = Mutex(State())

    /// Claims the one run of a server.
    func begin() throws(ChatDevServerError) {
        let isFirst = state.withLock { state in
            guard case .idle = state.phase else { return false }
            state.phase = .starting
            return true
        }
        guard isFirst else {
            throw ChatDevServerError(.alreadyRun, reason: "This server runs already, or has run: make another one.")
        }
    }

    /// Whether the server has come to listen and has not ended.
    var isListening: Bool {
        state.withLock { if case .listening = $0.phase { true } else { false } }
    }

    /// The server listens.
    func listening(port: Int) {
        let waiting = state.withLock { state in
            state.phase = .listening(port: port)
            defer { state.starters = [] }
            return state.starters
        }
        for continuation in waiting { continuation.resume(returning: .success(port)) }
    }

    /// The server has ended, for this reason.
    func ended(_ error: ChatDevServerError) {
        let (starters, stoppers) = state.withLock { state in
            state.phase = .ended(error)
            state.isStopRequested = true
            defer {
                state.starters = []
                state.stoppers = []
            }
            return (state.starters, state.stoppers)
        }
        for continuation in starters { continuation.resume(returning: .failure(error)) }
        for continuation in stoppers { continuation.resume() }
    }

    /// Waits until the server listens; its port.
    func started() async throws(ChatDevServerError) -> Int {
        try await withCheckedContinuation { continuation in
            let result: Result<Int, ChatDevServerError>? = state.withLock { state in
                switch state.phase {
                case .idle, .starting:
                    state.starters.append(continuation)
                    return nil
                case .listening(let port): return .success(port)
                case .ended(let error): return .failure(error)
                }
            }
            if let result { continuation.resume(returning: result) }
        }.get()
    }

    /// Asks the server to end.
    func requestStop() {
        let waiting = state.withLock { state in
            state.isStopRequested = true
            defer { state.stoppers = [] }
            return state.stoppers
        }
        for continuation in waiting { continuation.resume() }
    }

    /// Waits until the server is asked to end, or the task is cancelled.
    func stopRequested() async {
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let isRequested = state.withLock { state in
                    if !state.isStopRequested { state.stoppers.append(continuation) }
                    return state.isStopRequested
                }
                if isRequested { continuation.resume() }
            }
        } onCancel: {
            requestStop()
        }
    }
}
