import Synchronization

@testable import HoldfastTool

/// Records a command's output.
final class Recorder: Sendable {
    private let output = Mutex<[UInt8]>([])
    private let notes = Mutex("")

    var console: Console {
        Console(
            output: { bytes in self.output.withLock { $0 += bytes } },
            notes: { text in self.notes.withLock { $0 += text } })
    }

    /// The standard output.
    var printed: String { output.withLock { String(decoding: $0, as: UTF8.self) } }

    /// The standard error output.
    var noted: String { notes.withLock { $0 } }
}
