import Synchronization

@testable import HoldfastTool

/// Records a command's output and provides its input.
final class Transcript: Sendable {
    private struct State {
        var output: [UInt8] = []
        var notes = ""
        var input: ArraySlice<UInt8>
    }

    private let state: Mutex<State>
    private let isInteractive: Bool

    init(input: [UInt8] = [], isInteractive: Bool = false) {
        self.state = Mutex(State(input: input[...]))
        self.isInteractive = isInteractive
    }

    /// The standard output.
    var output: String { state.withLock { String(decoding: $0.output, as: UTF8.self) } }

    /// The standard error output.
    var notes: String { state.withLock { $0.notes } }

    var console: Console {
        Console(
            output: { bytes in self.state.withLock { $0.output += bytes } },
            notes: { text in self.state.withLock { $0.notes += text } },
            input: { count in
                self.state.withLock { state in
                    // Returns pieces of different sizes, so that lines are split anywhere.
                    let part = state.input.prefix(min(count, 7 + state.input.count % 4_099))
                    state.input = state.input.dropFirst(part.count)
                    return Array(part)
                }
            },
            isInteractive: isInteractive)
    }
}
