import HoldfastSystem
import NIOCore
import Synchronization

/// The state of a server between its start and its end, with the callers that wait for the next step. A server can run
/// only once.
///
/// Thread-safe.
package final class RunState<Failure: ServerError>: Sendable {
    private struct State {
        enum Phase {
            case idle
            case starting
            case listening(port: Int)
            case ended(Failure)
        }

        var phase = Phase.idle
        var isStopRequested = false
        var starters: [CheckedContinuation<Result<Int, Failure>, Never>] = []
    }

    private let state = Mutex(State())
    private let stopping = AsyncStream.makeStream(of: Never.self)
    /// The server's name in errors.
    private let name: String

    /// Creates the state of a server that has not started.
    ///
    /// - Parameter name: The server's name in errors, as in "The collector has stopped."
    package init(_ name: String) {
        self.name = name
    }

    // MARK: The server's steps

    /// Claims the one run of a server. Throws ``ServerFailure/Code/alreadyRun``.
    package func begin() throws(Failure) {
        let isFirst = state.withLock { state in
            guard case .idle = state.phase else { return false }
            state.phase = .starting
            return true
        }
        guard isFirst else {
            throw Failure(.alreadyRun, "This \(name) is running or has already run: create another one.")
        }
    }

    /// Records that the server listens.
    package func listening(port: Int) {
        enter(.listening(port: port), .success(port))
    }

    /// Records that the server has ended, with an error unless it was asked to end.
    package func ended(_ error: Failure? = nil) {
        let error = error ?? Failure(.stopped, "The \(name) has stopped.")
        enter(.ended(error), .failure(error))
        requestStop()
    }

    private func enter(_ phase: State.Phase, _ result: Result<Int, Failure>) {
        let waiting = state.withLock { state in
            state.phase = phase
            defer { state.starters = [] }
            return state.starters
        }
        for continuation in waiting { continuation.resume(returning: result) }
    }

    /// Describes the error of a failed start or of an unexpected end. Returns the server's own errors unchanged.
    ///
    /// - Parameters:
    ///   - host: The address to listen on.
    ///   - port: The port to listen on.
    package func explanation(of error: any Error, host: String, port: Int) -> Failure {
        if let error = error as? Failure { return error }
        if case .listening = state.withLock({ $0.phase }) {
            return Failure(.brokenOff, "The \(name) ended unexpectedly: \(error).", underlying: error)
        }
        let place = "\(host):\(port)"
        if let failure = error as? IOError, failure.errnoCode == EADDRINUSE {
            return Failure(.portInUse, "Another program listens on \(place).", port: port, underlying: error)
        }
        return Failure(.cannotListen, "The \(name) cannot listen on \(place): \(error).", port: port, underlying: error)
    }

    // MARK: Waiting callers

    /// Waits until the server listens, and returns its port. Throws the server's error if it ends instead.
    package func started() async throws(Failure) -> Int {
        try await withCheckedContinuation { continuation in
            let result: Result<Int, Failure>? = state.withLock { state in
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

    /// Asks the server to end. Returns immediately.
    package func requestStop() {
        state.withLock { $0.isStopRequested = true }
        stopping.continuation.finish()
    }

    /// Whether the server was asked to end.
    package var isStopRequested: Bool { state.withLock { $0.isStopRequested } }

    /// Waits until the server is asked to end or the task is cancelled. Only one task of the run may wait.
    package func stopRequested() async {
        for await _ in stopping.stream {}
    }

    /// Runs a server while `body` runs, and returns when the server has ended.
    ///
    /// - Parameters:
    ///   - run: Runs the server until it is asked to end.
    ///   - body: Called with the port once the server listens.
    /// - Throws: The error of the start, of `body` or of `run`, whichever comes first.
    package func with<Value>(
        _ run: @escaping @Sendable () async throws -> Void, _ body: (Int) async throws -> Value
    ) async throws -> Value {
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await run() }
            do {
                let value = try await body(try await started())
                requestStop()
                try await group.waitForAll()
                return value
            } catch {
                requestStop()
                // Only the first error counts.
                while await group.nextResult() != nil {}
                throw error
            }
        }
    }
}
