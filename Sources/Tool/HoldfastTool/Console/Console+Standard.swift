#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

extension Console {
    /// The process's own standard streams, unbuffered: a program at the other end of a pipe gets each answer at once.
    static let standard = Console(
        output: { try SystemCalls.write($0, to: STDOUT_FILENO) },
        notes: { try? SystemCalls.write(Array($0.utf8), to: STDERR_FILENO) },
        input: { try SystemCalls.read(upTo: $0, from: STDIN_FILENO) },
        isInteractive: isatty(STDERR_FILENO) == 1, inputIsTerminal: isatty(STDIN_FILENO) == 1,
        outputIsTerminal: isatty(STDOUT_FILENO) == 1, columns: { terminalColumns() },
        beginLongRun: { Interruption.watchOutput() }
    )

    /// The columns of the terminal at standard output at this moment: a window may change its size.
    private static func terminalColumns() -> Int? {
        var size = winsize()
        guard isatty(STDOUT_FILENO) == 1, ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else {
            return nil
        }
        return Int(size.ws_col)
    }
}
