import ChatServerCore
import Synchronization

/// Numbers sockets and calls, and lets callers wait until all sockets have ended. Independent of the driver's lock,
/// which is held during disk access.
final class SocketCounters: Sendable {
    private struct State {
        var sockets: UInt64 = 0
        var calls: UInt64 = 0
        var open = 0
        var waiters: [CheckedContinuation<Void, Never>] = []
    }

    private let state = Mutex(State())

    /// Returns the number of a new socket, which counts as open.
    func open() -> ConnectionID {
        state.withLock { state in
            state.sockets += 1
            state.open += 1
            return ConnectionID(state.sockets)
        }
    }

    /// Returns a number for a REST call.
    func nextCall() -> ServerCallID {
        state.withLock { state in
            state.calls += 1
            return ServerCallID(state.calls)
        }
    }

    /// Records that a socket has ended.
    func ended() {
        let waiters = state.withLock { state in
            state.open -= 1
            guard state.open == 0 else { return [CheckedContinuation<Void, Never>]() }
            defer { state.waiters = [] }
            return state.waiters
        }
        for waiter in waiters { waiter.resume() }
    }

    /// Waits until no socket is open.
    func drained() async {
        await withCheckedContinuation { continuation in
            let isDone = state.withLock { state in
                if state.open > 0 { state.waiters.append(continuation) }
                return state.open == 0
            }
            if isDone { continuation.resume() }
        }
    }
}
