import Foundation
import HoldfastSystem

/// The input and output of a command: standard input, standard output and messages to the user.
struct Console: Sendable {
    /// Writes bytes of the result. Throws if the output is closed.
    let output: @Sendable ([UInt8]) throws -> Void
    /// Writes text for the user. Ignores failures.
    let notes: @Sendable (String) -> Void
    /// Reads at most the given number of bytes from standard input; an empty array at its end.
    var input: @Sendable (Int) throws -> [UInt8] = { _ in [] }
    /// Whether messages go to a terminal, on which a line can be redrawn.
    var isInteractive = false
    /// Whether standard input is a terminal.
    var inputIsTerminal = false
    /// Whether standard output is a terminal, not a program or a file.
    var outputIsTerminal = false
    /// Whether the environment allows colors at a terminal.
    var allowsColor = false
    /// The columns of the terminal at standard output; `nil` if there is none.
    var columns: @Sendable () -> Int? = { nil }
    /// Begins a command that runs until it is interrupted. From then on, closing standard output interrupts it as well.
    var beginLongRun: @Sendable () -> Void = {}

    /// Writes one line of the result to standard output.
    func print(_ line: String) throws {
        try output(Array((line + "\n").utf8))
    }

    /// Writes one line for the user to standard error.
    func note(_ line: String) {
        notes(line + "\n")
    }

    /// Wraps prose to the terminal's width, between words; returns it unchanged without a terminal. Not for text that
    /// users copy, such as commands.
    func fitted(_ prose: String) -> String {
        guard let columns = columns() else { return prose }
        return prose.split(separator: "\n", omittingEmptySubsequences: false).map { line in
            let indent = line.prefix { $0 == " " }
            let room = max(20, columns - indent.count - 2)
            guard TerminalWidth.columns(line) > columns else { return String(line) }
            let parts = TerminalWidth.wrapped(String(line.dropFirst(indent.count)), to: room)
            return indent + parts.joined(separator: "\n\(indent)  ")
        }.joined(separator: "\n")
    }

    /// Redraws the current line of a terminal; does nothing elsewhere.
    func redraw(_ line: String) {
        if isInteractive { notes("\r\u{1B}[K" + line) }
    }

    /// Reads a file, or standard input if the path is "-". Throws if it has more than `limit` bytes.
    func readAll(_ path: String, limit: Int) throws -> [UInt8] {
        path == "-" ? try readAll(limit: limit) : try InputFile(path: path).readAll(limit: limit)
    }

    /// Reads standard input to its end. Throws if it has more than `limit` bytes.
    func readAll(limit: Int) throws -> [UInt8] {
        var bytes: [UInt8] = []
        while true {
            let part = try input(64 * 1024)
            if part.isEmpty { return bytes }
            bytes += part
            guard bytes.count <= limit else { throw ToolError("standard input has more than \(limit) bytes") }
        }
    }
}

extension Console {
    /// The process's standard streams, unbuffered, so that a program at the other end of a pipe gets each answer at
    /// once.
    static let standard = Console(
        output: { bytes in
            try system { () throws(SystemError) in try SystemCalls.write(bytes, to: STDOUT_FILENO) }
        },
        notes: { try? SystemCalls.write(Array($0.utf8), to: STDERR_FILENO) },
        input: { count in
            try system { () throws(SystemError) in try SystemCalls.read(upTo: count, from: STDIN_FILENO) }
        },
        isInteractive: isatty(STDERR_FILENO) == 1, inputIsTerminal: isatty(STDIN_FILENO) == 1,
        outputIsTerminal: isatty(STDOUT_FILENO) == 1,
        allowsColor: ColorChoice.isAllowed(
            noColor: EnvironmentVariable.value(of: ToolEnvironment.noColor),
            terminal: EnvironmentVariable.value(of: ToolEnvironment.terminal)),
        columns: { terminalColumns() },
        beginLongRun: { Interruption.watchOutput() }
    )

    /// Makes a system call and converts its error to one sentence.
    private static func system<Value>(_ call: () throws(SystemError) -> Value) throws(ToolError) -> Value {
        do throws(SystemError) { return try call() } catch { throw ToolError(error) }
    }

    /// The current columns of the terminal at standard output. A window may change its size.
    private static func terminalColumns() -> Int? {
        var size = winsize()
        guard isatty(STDOUT_FILENO) == 1, ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else {
            return nil
        }
        return Int(size.ws_col)
    }
}

/// Encodes JSON on several lines with sorted keys.
enum PrettyJSON {
    static func text(of value: some Encodable) throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes, .prettyPrinted]
        return String(decoding: try encoder.encode(value), as: UTF8.self)
    }
}
