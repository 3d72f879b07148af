/// What the tool's exit code says. Documented in docs/tool.md.
enum ToolStatus: Int32, Hashable, Sendable {
    /// Done, and everything came out as it must.
    case success = 0
    /// Done, and something did not come out as it must: a step of the demo.
    case failure = 1
    /// The input cannot be used: a missing file, garbage, an unknown host, a port that is taken. Or nobody reads the output.
    case unusableInput = 2
    /// There is no verdict on a server: it is not there, or does not get as far as its certificate. `probe` and `ws`
    /// say so.
    case unreachable = 3
    /// The command line is wrong (`EX_USAGE` of sysexits.h).
    case usage = 64
    /// A signal ended the command before it had a result. The process ends by the signal, which a shell tells as 128 and the
    /// signal's number; this is the number for SIGINT.
    case interrupted = 130
}
