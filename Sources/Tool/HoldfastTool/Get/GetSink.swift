import Dispatch
import HoldfastBase
import HoldfastSystem
import HoldfastTransport
import Synchronization

/// Takes the body of a response. Writing blocks no thread of Swift's pool.
protocol GetSink: Sendable {
    /// Writes a part of the body.
    func write(_ part: [UInt8]) async throws
    /// Completes the body.
    func finish() async throws
    /// Removes an incomplete body.
    func abandon() async
}

extension GetSink {
    func finish() async throws {}
    func abandon() async {}
}

/// Writes the body to standard output unchanged.
struct ConsoleSink: GetSink {
    let console: Console

    func write(_ part: [UInt8]) async throws {
        try await Self.write(part, to: console)
    }

    /// Writes bytes to standard output. A closed output is a ``ToolError``, a full disk a ``GetFailure``.
    static func write(_ bytes: [UInt8], to console: Console) async throws {
        do {
            try await Blocking.run { () throws in try console.output(bytes) }
        } catch let error as ToolError {
            if let cause = error.cause, cause.meansFullDisk { throw GetFailure.output("standard output", cause) }
            throw error.inside("standard output")
        }
    }
}

/// Writes the body to a terminal, where control characters of a server must have no effect.
final class TerminalSink: GetSink {
    private let console: Console
    private let body = Mutex(TerminalBody())

    init(console: Console) {
        self.console = console
    }

    func write(_ part: [UInt8]) async throws {
        let text = try body.withLock { try $0.text(part) }
        try await ConsoleSink.write(Array(text.utf8), to: console)
    }

    func finish() async throws {
        let text = try body.withLock { try $0.end() }
        try await ConsoleSink.write(Array(text.utf8), to: console)
    }
}

/// Converts a body to text that a terminal only displays.
struct TerminalBody {
    /// The beginning of a character, or a carriage return, at the end of the last part.
    private var rest: [UInt8] = []

    /// Returns the text of the next part. Throws if the body is not text in UTF-8.
    mutating func text(_ part: [UInt8]) throws(GetFailure) -> String {
        let bytes = rest + part
        let end = Self.end(of: bytes)
        rest = Array(bytes[end...])
        return try Self.escaped(bytes[..<end])
    }

    /// Returns the text at the end of the body.
    mutating func end() throws(GetFailure) -> String {
        defer { rest = [] }
        return try Self.escaped(rest[...])
    }

    /// Returns the end of the last complete character. A carriage return is complete with the next character only,
    /// because both may be one line break.
    private static func end(of bytes: [UInt8]) -> Int {
        var end = bytes.count
        for back in 1...3 where back <= bytes.count {
            let byte = bytes[bytes.count - back]
            if byte & 0xC0 == 0x80 { continue }
            let length = byte >= 0xF0 ? 4 : byte >= 0xE0 ? 3 : byte >= 0xC0 ? 2 : 1
            if length > back { end = bytes.count - back }
            break
        }
        return end > 0 && bytes[end - 1] == 0x0D ? end - 1 : end
    }

    private static func escaped(_ bytes: ArraySlice<UInt8>) throws(GetFailure) -> String {
        guard !bytes.contains(0), let text = String(validating: bytes, as: UTF8.self) else {
            throw GetFailure(
                code: "binary", reason: "the body is not text in UTF-8, and standard output is a terminal",
                status: .outputFailed, remedy: "--output FILE writes it to a file; a pipe gets it unchanged")
        }
        return TerminalText.lines(text, limit: .max).lines.joined(separator: "\n")
    }
}

/// Keeps the body in memory.
final class MemorySink: GetSink {
    /// The maximum size in bytes.
    ///
    /// - Error: exit code 9, `responseTooLarge`
    static let limit = 16 << 20

    private let body = Mutex<[UInt8]>([])

    /// The body so far.
    var bytes: [UInt8] { body.withLock(\.self) }

    func write(_ part: [UInt8]) async throws {
        let isTooLarge = body.withLock { body in
            guard part.count <= Self.limit - body.count else { return true }
            body += part
            return false
        }
        guard !isTooLarge else {
            throw GetFailure(
                code: "responseTooLarge", reason: "the body has more than \(Self.limit) bytes, the limit of --json",
                status: .exchangeFailed, remedy: "--output FILE has no such limit")
        }
    }
}

/// Writes the body to an existing device or pipe.
final class DeviceSink: GetSink {
    private let path: String
    private let descriptor: Int32

    private init(path: String, descriptor: Int32) {
        self.path = path
        self.descriptor = descriptor
    }

    deinit {
        close(descriptor)
    }

    /// Opens a device or a pipe. Waits for the reader of a pipe, on a thread of its own because that may take any time.
    /// Throws `CancellationError` when the task is cancelled.
    static func opened(_ path: String) async throws -> DeviceSink {
        try await BlockingRead.run(on: DispatchQueue(label: "holdfast.device")) {
            let descriptor = open(path, O_WRONLY | O_CLOEXEC)
            guard descriptor >= 0 else { throw GetFailure.output("'\(Printable.text(path))'", .last) }
            return DeviceSink(path: path, descriptor: descriptor)
        }
    }

    func write(_ part: [UInt8]) async throws {
        try await Blocking.run { [self] () throws in
            do throws(SystemError) {
                try SystemCalls.write(part, to: descriptor)
            } catch {
                throw GetFailure.output("'\(Printable.text(path))'", error)
            }
        }
    }
}

extension SystemError {
    /// Whether the disk or the user's quota is exhausted.
    var meansFullDisk: Bool { number == ENOSPC || number == EDQUOT }
}
