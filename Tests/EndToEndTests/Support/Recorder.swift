import Synchronization

@testable import HoldfastTool

/// Keeps what a command says.
final class Recorder: Sendable {
    private let output = Mutex<[UInt8]>([])
    private let notes = Mutex("")

    var console: Console {
        Console(
            output: { bytes in self.output.withLock { $0 += bytes } },
            notes: { text in self.notes.withLock { $0 += text } })
    }

    /// What went to standard output.
    var printed: String { output.withLock { String(decoding: $0, as: UTF8.self) } }

    /// What went to standard error.
    var noted: String { notes.withLock { $0 } }
}
