import Synchronization

@testable import HoldfastTool

/// Collects what a command says, and feeds it an input.
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

    /// What went to standard output.
    var output: String { state.withLock { String(decoding: $0.output, as: UTF8.self) } }

    /// What went to standard error.
    var notes: String { state.withLock { $0.notes } }

    var console: Console {
        Console(
            output: { bytes in self.state.withLock { $0.output += bytes } },
            notes: { text in self.state.withLock { $0.notes += text } },
            input: { count in
                self.state.withLock { state in
                    // Uneven pieces, so that lines are cut anywhere.
                    let part = state.input.prefix(min(count, 7 + state.input.count % 4_099))
                    state.input = state.input.dropFirst(part.count)
                    return Array(part)
                }
            },
            isInteractive: isInteractive)
    }
}
