#if PostgreSQL

import HoldfastSystem
import Synchronization

/// Cancels a call from another thread. Wakes the thread that waits for the server.
final class PostgreSQLCancellation: Sendable {
    private enum State {
        case waiting
        /// A thread waits for the server and for this end of a pipe.
        case running(CInt)
        case cancelled
    }

    private let state = Mutex(State.waiting)

    /// Cancels the call, before or while it runs. May be called from any thread.
    func cancel() {
        state.withLock { state in
            if case .running(let descriptor) = state {
                var byte: UInt8 = 1
                // The pipe does not block, and a full pipe has already woken the thread.
                _ = write(descriptor, &byte, 1)
            }
            state = .cancelled
        }
    }

    /// Begins the call. Returns `false` if it was cancelled before.
    func begin(waking descriptor: CInt) -> Bool {
        state.withLock { state in
            guard case .waiting = state else { return false }
            state = .running(descriptor)
            return true
        }
    }

    /// Ends the call: the descriptor is no longer used.
    func end() {
        state.withLock { state in
            if case .running = state { state = .waiting }
        }
    }
}

/// A pipe that wakes a thread in `poll`. Closes both ends when it is no longer used.
final class WakePipe: Sendable {
    let input: CInt
    let output: CInt

    init() throws(PostgreSQLError) {
        var ends: [CInt] = [-1, -1]
        guard pipe(&ends) == 0 else {
            throw PostgreSQLError(.unreachable, "The system refused a pipe (\(errno)): too many files may be open.")
        }
        (output, input) = (ends[0], ends[1])
        for end in ends {
            _ = fcntl(end, F_SETFL, O_NONBLOCK)
            _ = fcntl(end, F_SETFD, FD_CLOEXEC)
        }
    }

    /// Removes all bytes.
    func drain() {
        var bytes = [UInt8](repeating: 0, count: 16)
        while read(output, &bytes, bytes.count) > 0 {}
    }

    deinit {
        _ = close(input)
        _ = close(output)
    }
}

#endif
