import Dispatch
import Synchronization

/// The lines of standard input, for one reader. Reading blocks and uses its own thread; waiting for a line does not
/// block and can be cancelled.
final class InputLines: Sendable {
    private let reader: Mutex<LineReader>
    private let queue = DispatchQueue(label: "holdfast.input")

    /// Reads through `read`, which returns an empty array at the end. A line of more than `limit` bytes is reported and
    /// not stored.
    init(limit: Int, read: @escaping @Sendable (Int) throws -> [UInt8]) {
        reader = Mutex(LineReader(limit: limit, read: read))
    }

    /// Passes each line to `obey`, with a prompt before it, until `obey` returns a signal. Returns `nil` at the end of
    /// the input.
    ///
    /// Throws ``ToolError`` if the input cannot be read, and rethrows other errors of `obey`. At a prompt, a
    /// ``ToolError`` of `obey` is printed; otherwise it is passed to `unusable`.
    func forEach<Event, Signal>(
        _ terminal: EventTerminal<Event>, isPrompt: Bool, unusable: (ToolError) throws -> Signal,
        _ obey: (LineReader.Line) async throws -> Signal?
    ) async throws -> Signal? {
        var number = 0
        while true {
            terminal.prompt()
            number += 1
            guard let line = try await next() else { return nil }
            terminal.promptIsTaken()
            do {
                if let signal = try await obey(line) { return signal }
            } catch let error as ToolError {
                guard isPrompt else { return try unusable(error.inside("line \(number) of the input")) }
                terminal.note(error.sentence)
            }
        }
    }

    /// Returns the next line; `nil` at the end. Throws `CancellationError` when the task is cancelled; the next line is
    /// then lost. Throws ``ToolError`` if the input cannot be read.
    func next() async throws -> LineReader.Line? {
        try await BlockingRead.run(on: queue) {
            do {
                return try self.reader.withLock { try $0.next() }
            } catch {
                throw ToolError(describing: error).inside("standard input")
            }
        }
    }
}
