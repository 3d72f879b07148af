import ChatServerCore
import Synchronization

/// Numbers for sockets and calls, and who waits for the last socket to end. Apart from the driver's lock, which is held
/// while the disk is waited for.
final class SocketCounters: Sendable {
    private struct State {
        var sockets: UInt64 = 0
        var calls: UInt64 = 0
        var open = 0
        var waiters: [CheckedContinuation<Void, Never>] = []
    }

    private let state = Mutex(State())

    /// A number for a new socket, which counts as open from now on.
    func open() -> ConnectionID {
        state.withLock { state in
            state.sockets += 1
            state.open += 1
            return ConnectionID(state.sockets)
        }
    }

    /// A number for a REST call.
    func nextCall() -> ServerCallID {
        state.withLock { state in
            state.calls += 1
            return ServerCallID(state.calls)
        }
    }

    /// A socket has ended.
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
