import Dispatch
import Synchronization

@testable import HoldfastTool

/// Input that a test types while a command runs. Reading it blocks, like reading a terminal.
final class TypedInput: Sendable {
    private struct State {
        var bytes: [UInt8] = []
        var isOver = false
    }

    private let state = Mutex(State())
    private let arrival = DispatchSemaphore(value: 0)

    /// Types a line.
    func type(_ line: String) {
        state.withLock { $0.bytes += Array((line + "\n").utf8) }
        arrival.signal()
    }

    /// Ends the input.
    func end() {
        state.withLock { $0.isOver = true }
        arrival.signal()
    }

    /// Implements ``Console/input``.
    func read(_ count: Int) -> [UInt8] {
        while true {
            let part: [UInt8]? = state.withLock { state in
                guard !state.bytes.isEmpty else { return state.isOver ? [] : nil }
                let part = Array(state.bytes.prefix(count))
                state.bytes.removeFirst(part.count)
                return part
            }
            if let part { return part }
            arrival.wait()
        }
    }
}
