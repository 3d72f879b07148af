import HoldfastSystem

/// The ends of a command: what it reads, where its results go, and where it speaks to the person.
struct Console: Sendable {
    /// Takes bytes of the result. Throws when nobody reads them any more.
    let output: @Sendable ([UInt8]) throws -> Void
    /// Takes text for the person. What cannot be shown is dropped.
    let notes: @Sendable (String) -> Void
    /// Reads standard input: at most so many bytes, an empty array at its end.
    var input: @Sendable (Int) throws -> [UInt8] = { _ in [] }
    /// Whether the person's end is a terminal, on which a line can be drawn again.
    var isInteractive = false
    /// Whether somebody types what is read.
    var inputIsTerminal = false
    /// Whether results are shown to somebody, and not taken by a program or a file.
    var outputIsTerminal = false
    /// The columns of the terminal that shows results; `nil` where none does.
    var columns: @Sendable () -> Int? = { nil }
    /// Begins a command that runs until it is interrupted: from then on a closed standard output interrupts it as well.
    var beginLongRun: @Sendable () -> Void = {}

    /// Writes one line of the result to standard output.
    func print(_ line: String) throws {
        try output(Array((line + "\n").utf8))
    }

    /// Writes one line for the person to standard error.
    func note(_ line: String) {
        notes(line + "\n")
    }

    /// Prose in lines that fit on the terminal, broken between words; as it is where no terminal shows it. What somebody copies, such
    /// as a command, is not for this.
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

    /// Draws the current line of a terminal again; does nothing elsewhere.
    func redraw(_ line: String) {
        if isInteractive { notes("\r\u{1B}[K" + line) }
    }

    /// Reads a file, or standard input if the path is "-", unless it has more than `limit` bytes.
    func readAll(_ path: String, limit: Int) throws -> [UInt8] {
        path == "-" ? try readAll(limit: limit) : try InputFile(path: path).readAll(limit: limit)
    }

    /// Reads standard input to its end, unless it has more than `limit` bytes.
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
    /// The process's own standard streams, unbuffered: a program at the other end of a pipe gets each answer at once.
    static let standard = Console(
        output: { bytes in
            try system { () throws(SystemError) in try SystemCalls.write(bytes, to: STDOUT_FILENO) }
        },
        notes: { try? SystemCalls.write(Array($0.utf8), to: STDERR_FILENO) },
        input: { count in
            try system { () throws(SystemError) in try SystemCalls.read(upTo: count, from: STDIN_FILENO) }
        },
        isInteractive: isatty(STDERR_FILENO) == 1, inputIsTerminal: isatty(STDIN_FILENO) == 1,
        outputIsTerminal: isatty(STDOUT_FILENO) == 1, columns: { terminalColumns() },
        beginLongRun: { Interruption.watchOutput() }
    )

    /// Makes a call and puts the system's error into one sentence.
    private static func system<Value>(_ call: () throws(SystemError) -> Value) throws(ToolError) -> Value {
        do throws(SystemError) { return try call() } catch { throw ToolError("\(error)") }
    }

    /// The columns of the terminal at standard output at this moment: a window may change its size.
    private static func terminalColumns() -> Int? {
        var size = winsize()
        guard isatty(STDOUT_FILENO) == 1, ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else {
            return nil
        }
        return Int(size.ws_col)
    }
}
